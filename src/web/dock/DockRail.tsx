import type { TerminalView } from '../../wire/view.ts'
import { usePageState } from '../parts.ts'
import { StateMark } from '../ui/StateMark.tsx'
import { markOf, nameOf } from '../words.ts'
import { dockGroups } from './dockRows.ts'
import { DOCK_COLLAPSED } from './dockShape.ts'

/** What is left of the dock when it is hidden: a mark for each terminal. */
export function DockRail({
  terminals,
  onSelect,
}: {
  readonly terminals: readonly TerminalView[]
  readonly onSelect: (id: string) => void
}) {
  const { focused } = usePageState()
  return (
    <>
      <button
        type="button"
        className="quiet railOpen"
        aria-label="Show the dock"
        title="Show the dock"
        onClick={() => DOCK_COLLAPSED.set(false)}
      >
        »
      </button>
      <ul className="rail">
        {dockGroups(terminals).flatMap((group) =>
          group.terminals.map((terminal) => (
            <li key={terminal.id}>
              <button
                type="button"
                className="quiet"
                aria-label={nameOf(terminal)}
                title={nameOf(terminal)}
                aria-current={terminal.id === focused ? 'true' : undefined}
                onClick={() => onSelect(terminal.id)}
              >
                <StateMark mark={markOf(terminal)} />
                {terminal.unread && <span className="unread" />}
              </button>
            </li>
          )),
        )}
      </ul>
    </>
  )
}
