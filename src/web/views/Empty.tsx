import { actionOf, keysOf } from '../actions.ts'
import { useMay, usePageState, useParts } from '../parts.ts'
import { PLATFORM, shortcutText } from '../shortcuts.ts'
import { Letter } from '../ui/Letter.tsx'
import { lastOf, useAsked } from '../ui/useAsked.ts'
import { shortPath } from '../words.ts'
import './empty.css'

const SURVIVES = [
  'Close this page: your programs keep running.',
  'The daemon crashes or is upgraded: they do not notice.',
  'The power goes: layout, screens, history and conversations come back.',
]

/** What is seen where there are no terminals. */
export function Empty() {
  const { terminals } = usePageState()
  const may = useMay()
  const isFirst = terminals?.length === 0
  return (
    <section className="empty">
      <div className="emptyBox">
        <h2>{isFirst ? (may('terminal.new') ? 'No terminals yet' : 'No terminals to look at') : 'No terminals in this workspace'}</h2>
        {may('terminal.new') && <Starts />}
        {isFirst && may('terminal.new') && (
          <ul className="survives">
            {SURVIVES.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        <PaletteHint />
      </div>
    </section>
  )
}

function Starts() {
  const { page, tiles } = useParts()
  const installed = useAsked({ key: 'installed', ask: () => page.ask('agent.installed', {}) })
  const recent = useAsked({ key: 'recent', ask: () => page.ask('directory.recent', {}) })
  const directory = lastOf(recent)?.[0]?.path ?? '~'
  const start = (command?: string) =>
    void page.create({ cwd: directory, ...(command === undefined ? {} : { command }) }).then(() => tiles.focus())
  return (
    <div className="starts">
      <button type="button" className="primary" onClick={() => start()}>
        New terminal
      </button>
      {(lastOf(installed) ?? []).map(({ name, label, command }) => (
        <button type="button" key={name} className="program" onClick={() => start(command)}>
          <Letter letter={label.slice(0, 1)} />
          Start {label} in {shortPath(directory)}
        </button>
      ))}
      <button type="button" className="quiet" onClick={() => page.open({ kind: 'newTerminal', place: null })}>
        Elsewhere, or something else…
      </button>
    </div>
  )
}

function PaletteHint() {
  const { settings } = usePageState()
  const palette = actionOf('palette')
  const keys = palette === null ? null : keysOf(palette, settings.keys)
  if (keys === null) return null
  return (
    <p className="emptyHint">
      <kbd>{shortcutText(keys, PLATFORM)}</kbd> finds everything else.
    </p>
  )
}
