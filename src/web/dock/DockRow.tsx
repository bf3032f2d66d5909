import { type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { agentOf, type TerminalView } from '../../wire/view.ts'
import { useTold } from '../health/TileTrouble.tsx'
import { useParts } from '../hooks/parts.ts'
import { needsYou } from '../state/needsYou.ts'
import { agentWordsOf, commandOf, describe, howLong, markOf, nameOf } from '../state/words.ts'
import { MenuAt, type Point } from '../ui/Menu.tsx'
import { StateMark } from '../ui/StateMark.tsx'
import { placeOf } from './dockRows.ts'
import { Waited } from './NeedsYou.tsx'
import { terminalMenu } from './terminalMenu.ts'

type Props = {
  readonly terminal: TerminalView
  readonly now: number
  readonly isSelected: boolean
  /** Whether it is the one row that Tab stops at. */
  readonly isTabStop: boolean
  /** The name of its workspace, where that is another one than is shown. */
  readonly workspace: string | null
  readonly drop: 'before' | 'after' | null
  readonly onSelect: (id: string) => void
  readonly onGrab: (event: PointerEvent<HTMLElement>) => void
}

export function DockRow({ terminal: own, now, isSelected, isTabStop, workspace, drop, onSelect, onGrab }: Props) {
  const parts = useParts()
  const terminal = useTold(own)
  const [menuAt, setMenuAt] = useState<Point | null>(null)
  const row = useRef<HTMLButtonElement>(null)
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    // From the keyboard there is no point, or one in the middle of nothing.
    setMenuAt(event.clientX === 0 ? { x: left + 24, y: bottom } : { x: event.clientX, y: event.clientY })
  }
  const name = nameOf(terminal)
  return (
    <li className="rowPlace" data-drop={drop ?? undefined}>
      <button
        type="button"
        ref={row}
        className="row"
        data-row={terminal.id}
        data-asleep={terminal.state === 'asleep'}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isSelected ? 'true' : undefined}
        onClick={() => onSelect(terminal.id)}
        onContextMenu={openMenu}
        onPointerDown={onGrab}
      >
        <StateMark mark={markOf(terminal)} />
        <span className="name" title={name}>
          {name}
        </span>
        <Signs terminal={terminal} now={now} />
        <Facts terminal={terminal} workspace={workspace} />
        <State terminal={terminal} />
      </button>
      <button type="button" className="rowMore" tabIndex={-1} aria-label={`More about ${name}`} aria-haspopup="menu" onClick={openMenu}>
        ⋯
      </button>
      {menuAt !== null && (
        <MenuAt label={name} at={menuAt} items={terminalMenu(parts, terminal)} returnTo={row.current} onClose={() => setMenuAt(null)} />
      )}
    </li>
  )
}

function Signs({ terminal, now }: { readonly terminal: TerminalView; readonly now: number }) {
  const { unread, muted } = terminal
  const since = sinceOf(terminal)
  return (
    <span className="signs">
      {muted && <span title="Notifications off">⊘</span>}
      {unread && (
        <span className="unread" title="New output">
          <span className="unseen">, new output</span>
        </span>
      )}
      <span className="age" title={`since ${new Date(since).toLocaleString()}`}>
        {needsYou(terminal) ? <Waited since={since} /> : howLong(since, now)}
      </span>
    </span>
  )
}

/** How long it has been as it is: its agent, where that is known, else the terminal. */
function sinceOf(terminal: TerminalView): number {
  const agent = agentOf(terminal)
  return agent !== null && agent.state !== 'unknown' ? agent.since : terminal.since
}

/** The command is left out where it is already the name, or where the line below names the agent. */
function Facts({ terminal, workspace }: { readonly terminal: TerminalView; readonly workspace: string | null }) {
  const isNamedBelow = describe(terminal).mark === 'live' && agentWordsOf(terminal, sinceOf(terminal)) !== null
  const program = isNamedBelow ? '' : (agentOf(terminal)?.label ?? commandOf(terminal))
  const words = [terminal.private === true ? 'private' : '', placeOf(terminal), program === nameOf(terminal) ? '' : program]
  return (
    <span className="facts" title={terminal.directory}>
      {workspace !== null && <span className="elsewhere">Workspace {workspace}</span>}
      {words.filter(Boolean).join(' · ')}
    </span>
  )
}

/** That it lives its mark says; how its agent does is what one looks for, and else what it calls itself. */
function State({ terminal }: { readonly terminal: TerminalView }) {
  const { mark, state } = describe(terminal)
  const agent = agentWordsOf(terminal, sinceOf(terminal)) // how long is said beside the name
  if (mark !== 'live') return <Line className={`state ${mark}`} text={state} title={state} />
  if (agent !== null) return <Line className={`state ${agent.mark}`} text={agent.state} title={agent.words ?? undefined} />
  const hasTitle = terminal.title !== '' && terminal.title !== nameOf(terminal)
  return hasTitle ? <Line className="state" text={terminal.title} title={terminal.title} /> : <span className="unseen">{state}</span>
}

const Line = ({ className, text, title }: { readonly className: string; readonly text: string; readonly title: string | undefined }) => (
  <span className={className} title={title}>
    {text}
  </span>
)
