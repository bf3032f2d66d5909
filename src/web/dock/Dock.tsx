/**
 * The dock: every terminal, in an order that never changes by itself. dockRows.ts decides rows and moves (pure), DockRow.tsx is one
 * row, terminalMenu.ts the menu of any terminal, also used by title bars. The dock selects ids; each row selects its own terminal.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { OfTerminal, useIsNarrow, useNow, usePage, useParts } from '../hooks/parts.ts'
import { ASLEEP_HIDDEN, DOCK_COLLAPSED } from '../state/dockShape.ts'
import { useRemembered } from '../state/remembered.ts'
import { nameElsewhere } from '../state/standing.ts'
import { DockEdge } from './DockEdge.tsx'
import { DockFoot, DockHead } from './DockEnds.tsx'
import { DockRail } from './DockRail.tsx'
import { DockRow } from './DockRow.tsx'
import { type DockGroup, FILTER_FROM, rowsOf, stepIndex } from './dockRows.ts'
import './dock.css'
import { NeedsYou } from './NeedsYou.tsx'
import { useRowDrag } from './rowDrag.ts'

/** Every terminal, in an order that never changes by itself. */
export function Dock() {
  const { page, tiles } = useParts()
  const now = useNow()
  const isNarrow = useIsNarrow()
  const isCollapsed = useRemembered(DOCK_COLLAPSED) && !isNarrow
  const isAsleepHidden = useRemembered(ASLEEP_HIDDEN)
  const [filter, setFilter] = useState('')
  const rows = usePage(({ terminals, focused }) => rowsOf(terminals, { focused, filter, isAsleepHidden }))
  const select = (id: string) => {
    page.closeOverlay()
    page.focus(id)
    tiles.focus()
  }
  if (rows === null) return <p className="hint">Waiting for the daemon…</p>
  const { groups, needing, count, asleep } = rows
  if (isCollapsed) return <DockRail terminals={groups.flatMap(({ terminals }) => terminals)} onSelect={select} />
  const hasFilter = count >= FILTER_FROM
  return (
    <>
      <DockHead />
      <NeedsYou terminals={needing} now={now} onSelect={select} />
      {hasFilter && (
        <input
          type="search"
          className="dockFilter"
          aria-label="Filter the terminals"
          placeholder={`Filter ${count} terminals`}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {groups.length === 0 && <p className="hint">{hasFilter ? 'No matches' : 'No terminals.'}</p>}
      <Groups groups={groups} now={now} onSelect={select} />
      {asleep > 0 && (
        <button
          type="button"
          className="quiet asleepToggle"
          aria-pressed={isAsleepHidden}
          onClick={() => ASLEEP_HIDDEN.set(!isAsleepHidden)}
        >
          {isAsleepHidden ? `Show ${asleep} not running` : `Hide ${asleep} not running`}
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
  const { focused, topology, workspace } = usePage(({ focused, topology, workspace }) => ({ focused, topology, workspace }))
  const list = useRef<HTMLDivElement>(null)
  const drag = useRowDrag(list)
  const ids = groups.flatMap(({ terminals }) => terminals)
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
            {terminals.map((id) => (
              <OfTerminal key={id} id={id}>
                {(terminal) => (
                  <DockRow
                    terminal={terminal}
                    now={now}
                    isSelected={id === focused}
                    isTabStop={id === tabStop}
                    workspace={nameElsewhere(topology, id, workspace)}
                    drop={drag.dropAt(id)}
                    onSelect={onSelect}
                    onGrab={(event) => drag.grab(event, { terminal: id, among: terminals })}
                  />
                )}
              </OfTerminal>
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
