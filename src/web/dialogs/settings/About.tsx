import { useParts } from '../../hooks/parts.ts'
import { leaveDialog } from '../../ui/Dialog.tsx'

export function About() {
  const { page } = useParts()
  const showNotices = () => {
    leaveDialog()
    page.open({ kind: 'reading', reading: { kind: 'notices' } })
  }
  return (
    <section data-section="about" aria-label="About">
      <h3>About</h3>
      <div className="option">
        <div className="optionWords">
          <h4>Licenses</h4>
          <p>Holdfast is under the MIT license. It contains third-party software, each under its own license.</p>
        </div>
        <div className="optionValue">
          <button type="button" onClick={showNotices}>
            Third-party notices
          </button>
        </div>
      </div>
    </section>
  )
}
