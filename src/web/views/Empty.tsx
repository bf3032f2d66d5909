import { usePageState, useParts } from '../parts.ts'
import './empty.css'

/** What is seen where there are no terminals. */
export function Empty() {
  const { page, tiles } = useParts()
  const { terminals } = usePageState()
  return (
    <section className="empty">
      <h1>{terminals?.length === 0 ? 'No terminals yet' : 'No terminals in this workspace'}</h1>
      <p>What you start here keeps running when this page, or the daemon, goes away.</p>
      <button type="button" className="primary" onClick={() => void page.create().then(() => tiles.focus())}>
        New terminal
      </button>
    </section>
  )
}
