import type { TerminalView } from '../../wire/view.ts'
import { usePageState, useParts } from '../parts.ts'
import { useRemembered } from '../remembered.ts'
import { Icon } from '../ui/Icon.tsx'
import { SLEEP_TAUGHT, wantsSleepTip } from './sleepTip.ts'

/** Said once, in the terminal that one looks at, when it is a good example. */
export function SleepTip({ terminal, now }: { readonly terminal: TerminalView; readonly now: number }) {
  const { page } = useParts()
  const { focused } = usePageState()
  const isTaught = useRemembered(SLEEP_TAUGHT)
  if (isTaught || focused !== terminal.id || !wantsSleepTip(terminal, now)) return null
  const teach = () => SLEEP_TAUGHT.set(true)
  return (
    <section className="sleepTip" aria-label="About sleep">
      <p>
        <Icon name="moon" /> Nothing happens here for now. Asleep, it gives back its memory; its screen, its place and its conversation
        stay, and it goes on when you wake it.
      </p>
      <div className="ways">
        <button
          type="button"
          className="primary"
          onClick={() => {
            teach()
            void page.sleep(terminal.id)
          }}
        >
          Put it to sleep
        </button>
        <button type="button" onClick={teach}>
          Got it
        </button>
      </div>
    </section>
  )
}
