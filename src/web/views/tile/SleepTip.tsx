import { isAtRest } from '../../../agents/state.ts'
import { agentOf, type TerminalView } from '../../../wire/view.ts'
import { terminalIn, usePage, useParts } from '../../hooks/parts.ts'
import { decodeFlag, Remembered, useRemembered } from '../../state/remembered.ts'
import { Icon } from '../../ui/Icon.tsx'

/** Said once, in the terminal that one looks at, when it is a good example. */
export function SleepTip({ terminal, now }: { readonly terminal: string; readonly now: number }) {
  const { page } = useParts()
  const isExample = usePage((state) => {
    const known = terminalIn(state, terminal)
    return known !== null && state.focused === terminal && wantsSleepTip(known, now)
  })
  const isTaught = useRemembered(SLEEP_TAUGHT)
  if (isTaught || !isExample) return null
  const teach = () => SLEEP_TAUGHT.set(true)
  return (
    <section className="sleepTip" aria-label="About sleep">
      <p>
        <Icon name="moon" /> This terminal is idle. Put it to sleep to free its memory: its screen, place and conversation stay, and it
        resumes when you wake it.
      </p>
      <div className="ways">
        <button
          type="button"
          className="primary"
          onClick={() => {
            teach()
            void page.sleep(terminal)
          }}
        >
          Put to sleep
        </button>
        <button type="button" onClick={teach}>
          Got it
        </button>
      </div>
    </section>
  )
}

/** Whether this browser's user knows of it. */
export const SLEEP_TAUGHT = new Remembered({ key: 'sleepTaught', usual: false, decode: decodeFlag })

const IDLE_MS = 10 * 60_000

/** Whether this terminal is a good example. */
function wantsSleepTip(terminal: TerminalView, now: number): boolean {
  const agent = agentOf(terminal)
  return agent !== null && isAtRest(agent.state) && now - agent.since >= IDLE_MS
}
