import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import type { TerminalView } from '../../../wire/view.ts'
import { OfTerminal, useMay, useNow, useParts } from '../../hooks/parts.ts'
import { nameOf } from '../../state/words.ts'
import { scrollAlong } from '../../ui/dom.ts'
import { Icon } from '../../ui/Icon.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { stateOf } from './headerWords.ts'
import { useNameField } from './TileName.tsx'

type Props = { readonly tabs: readonly string[]; readonly active: string }

/** The terminals that share a slot. Arrows go from tab to tab, Enter brings one to the front. */
export function SlotTabs({ tabs, active }: Props) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is in front
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])
  return (
    <div ref={list} className="tabs" role="tablist" aria-label="Terminals in this slot" onWheel={scrollAlong}>
      {tabs.map((id) => (
        <OfTerminal key={id} id={id}>
          {(terminal) => <Tab terminal={terminal} isActive={id === active} />}
        </OfTerminal>
      ))}
    </div>
  )
}

function Tab({ terminal, isActive }: { readonly terminal: TerminalView; readonly isActive: boolean }) {
  const { page, tiles } = useParts()
  const { mark, state } = stateOf(terminal, useNow())
  const may = useMay()
  const field = useNameField({ terminal })
  const close = () => page.open({ kind: 'close', terminal: terminal.id })
  const show = () => {
    page.focus(terminal.id)
    tiles.focus()
  }
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const acts: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => focusTab(event.currentTarget, -1),
      ArrowRight: () => focusTab(event.currentTarget, 1),
      Delete: close,
      F2: () => page.open({ kind: 'rename', terminal: terminal.id }),
    }
    const act = acts[event.key]
    if (act === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    act()
  }
  if (field !== null) return field
  return (
    <span className="tab" data-active={isActive} data-tab={terminal.id} role="presentation">
      <button
        type="button"
        role="tab"
        aria-selected={isActive}
        tabIndex={isActive ? 0 : -1}
        title={`${nameOf(terminal)}: ${state}`}
        onClick={show}
        onDoubleClick={() => page.open({ kind: 'rename', terminal: terminal.id })}
        onAuxClick={(event) => event.button === 1 && close()}
        onKeyDown={onKey}
      >
        <StateMark mark={mark} />
        <span className="tabName">{nameOf(terminal)}</span>
        {terminal.unread && <UnreadDot />}
      </button>
      {/* For the mouse: the keyboard has Delete, which readers of the tab list are told by its title. */}
      {may('terminal.close') && (
        <button type="button" className="tabClose nodrag" aria-hidden="true" tabIndex={-1} title="Close" onClick={close}>
          <Icon name="close" />
        </button>
      )}
    </span>
  )
}

export function UnreadDot() {
  return (
    <span className="unread" title="New output">
      <span className="unseen">, new output</span>
    </span>
  )
}

/** Goes round at both ends. */
function focusTab(tab: HTMLElement, step: 1 | -1): void {
  const all = [...(tab.closest('[role="tablist"]')?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])]
  all.at((all.indexOf(tab) + step) % all.length)?.focus()
}
