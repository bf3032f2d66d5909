import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useIsNarrow, useNow, usePageState, useParts } from '../parts.ts'
import { useRemembered } from '../remembered.ts'
import { nameElsewhere } from '../standing.ts'
import { DockEdge } from './DockEdge.tsx'
import { DockFoot } from './DockFoot.tsx'
import { DockHead } from './DockHead.tsx'
import { DockRail } from './DockRail.tsx'
import { DockRow } from './DockRow.tsx'
import { awakeRows, type DockGroup, dockGroups, filterRows, needingYou, stepIndex } from './dockRows.ts'
import { ASLEEP_HIDDEN, DOCK_COLLAPSED } from './dockShape.ts'
import './dock.css'
import { NeedsYou } from './NeedsYou.tsx'
import { useRowDrag } from './rowDrag.ts'

const FILTER_FROM = 13 // rows; fewer are seen at a glance

/** Every terminal, in an order that never changes by itself. */
export function Dock() {
  const { page, tiles } = useParts()
  const { terminals, focused } = usePageState()
  const now = useNow()
  const isNarrow = useIsNarrow()
  const isCollapsed = useRemembered(DOCK_COLLAPSED) && !isNarrow
  const isAsleepHidden = useRemembered(ASLEEP_HIDDEN)
  const [filter, setFilter] = useState('')
  const select = (id: string) => {
    page.closeOverlay()
    page.focus(id)
    tiles.focus()
  }
  if (terminals === null) return <p className="hint">Waiting for the daemon…</p>
  const listed = isAsleepHidden ? awakeRows(terminals, focused) : terminals
  if (isCollapsed) return <DockRail terminals={listed} onSelect={select} />
  const hasFilter = terminals.length >= FILTER_FROM
  const groups = dockGroups(hasFilter ? filterRows(listed, filter) : listed)
  const asleep = terminals.filter(({ state }) => state === 'asleep').length
  return (
    <>
      <DockHead />
      <NeedsYou terminals={needingYou(terminals)} now={now} onSelect={select} />
      {hasFilter && (
        <input
          type="search"
          className="dockFilter"
          aria-label="Filter the terminals"
          placeholder={`Filter ${terminals.length} terminals`}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {groups.length === 0 && <p className="hint">{hasFilter ? 'No terminal fits.' : 'No terminals.'}</p>}
      <Groups groups={groups} now={now} onSelect={select} />
      {asleep > 0 && (
        <button
          type="button"
          className="quiet asleepToggle"
          aria-pressed={isAsleepHidden}
          onClick={() => ASLEEP_HIDDEN.set(!isAsleepHidden)}
        >
          {isAsleepHidden ? `Show ${asleep} asleep` : `Hide ${asleep} asleep`}
        </button>
      )}
      <DockFoot />
      {!isNarrow && <DockEdge />}
    </>
  )
}

type GroupsProps = { readonly groups: readonly DockGroup[]; readonly now: number; readonly onSelect: (id: string) => void }

function Groups({ groups, now, onSelect }: GroupsProps) {
  const { page } = useParts()
  const { focused, topology, workspace } = usePageState()
  const list = useRef<HTMLDivElement>(null)
  const drag = useRowDrag(list)
  const ids = groups.flatMap((group) => group.terminals.map(({ id }) => id))
  const [roved, setRoved] = useState<string | null>(null)
  const tabStop = [roved, focused, ids[0]].find((id) => id != null && ids.includes(id))
  const moved = useRef<string | null>(null)
  // An element that is put elsewhere loses the focus.
  useEffect(() => {
    if (moved.current !== null && document.activeElement === document.body) focusRow(list.current, moved.current)
  })
  const move = (terminal: string, step: 1 | -1) => {
    const index = stepIndex(groups, topology?.dock ?? [], { terminal, step })
    moved.current = terminal
    if (index !== null && page.may('dock.move')) void page.command('dock.move', { terminal, index })
  }
  const takeKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = rowOf(event.target)
    if (at === null) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    const to = step !== null ? ids.indexOf(at) + step : event.key === 'Home' ? 0 : event.key === 'End' ? ids.length - 1 : null
    if (to === null) return
    event.preventDefault()
    if (event.altKey && step !== null) return move(at, step)
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) focusRow(list.current, ids[to])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of its rows, one of which has the focus
    <div
      className="terminals"
      ref={list}
      onKeyDown={takeKey}
      onFocus={(event) => setRoved(rowOf(event.target))}
      data-dragging={drag.isDragging}
    >
      {groups.map(({ key, name, root, terminals }) => (
        <section key={key} aria-label={name}>
          <h2 className="groupName" title={root ?? undefined}>
            {name}
          </h2>
          <ul>
            {terminals.map((terminal) => (
              <DockRow
                key={terminal.id}
                terminal={terminal}
                now={now}
                isSelected={terminal.id === focused}
                isTabStop={terminal.id === tabStop}
                workspace={nameElsewhere(topology, terminal.id, workspace)}
                drop={drag.dropAt(terminal.id)}
                onSelect={onSelect}
                onGrab={(event) => drag.grab(event, { terminal: terminal.id, among: terminals.map(({ id }) => id) })}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const rowOf = (target: EventTarget): string | null => (target instanceof HTMLElement ? (target.dataset['row'] ?? null) : null)

function focusRow(list: HTMLElement | null, id: string | undefined): void {
  if (id !== undefined) list?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus()
}
