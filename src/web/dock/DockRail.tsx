import { OfTerminal, usePage } from '../hooks/parts.ts'
import { DOCK_COLLAPSED } from '../state/dockShape.ts'
import { markOf, nameOf } from '../state/words.ts'
import { StateMark } from '../ui/StateMark.tsx'

/** What is left of the dock when it is hidden: a mark for each terminal. */
export function DockRail({ terminals, onSelect }: { readonly terminals: readonly string[]; readonly onSelect: (id: string) => void }) {
  const focused = usePage(({ focused }) => focused)
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
        {terminals.map((id) => (
          <OfTerminal key={id} id={id}>
            {(terminal) => (
              <li>
                <button
                  type="button"
                  className="quiet"
                  aria-label={nameOf(terminal)}
                  title={nameOf(terminal)}
                  aria-current={id === focused ? 'true' : undefined}
                  onClick={() => onSelect(id)}
                >
                  <StateMark mark={markOf(terminal)} />
                  {terminal.unread && <span className="unread" />}
                </button>
              </li>
            )}
          </OfTerminal>
        ))}
      </ul>
    </>
  )
}
