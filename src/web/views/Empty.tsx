/**
 * What is seen where there are no terminals. The views: split/ and canvas/ arrange terminals, tile/ is one terminal with its title bar,
 * bar/ is the strip of workspaces. split/, canvas/ and bar/ import tile/, never each other but for styles.
 */
import { keysTextFor } from '../actions/actions.ts'
import { useMay, usePage, useParts } from '../hooks/parts.ts'
import { shortPath } from '../state/words.ts'
import { Letter } from '../ui/Letter.tsx'
import { lastOf, useAsked } from '../ui/useAsked.ts'
import './empty.css'

const SURVIVES = [
  'Close this page: your programs keep running.',
  'Holdfast crashes or updates: your programs keep running.',
  'Power cut: screens, history and conversations come back.',
]

/** What is seen where there are no terminals. */
export function Empty() {
  const isFirst = usePage(({ terminals }) => terminals?.length === 0)
  const may = useMay()
  return (
    <section className="empty">
      <div className="emptyBox">
        <h2>{isFirst ? (may('terminal.new') ? 'No terminals yet' : 'No terminals to show') : 'No terminals in this workspace'}</h2>
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
        New shell in {shortPath(directory)}
      </button>
      {(lastOf(installed) ?? []).map(({ name, label, command }) => (
        <button type="button" key={name} className="program" onClick={() => start(command)}>
          <Letter letter={label.slice(0, 1)} />
          Start {label} in {shortPath(directory)}
        </button>
      ))}
      <button type="button" className="quiet" onClick={() => page.open({ kind: 'newTerminal', place: null })}>
        Choose a folder or command…
      </button>
    </div>
  )
}

function PaletteHint() {
  const keys = usePage(({ settings }) => keysTextFor('palette', settings))
  if (keys === null) return null
  return (
    <p className="emptyHint">
      <kbd>{keys}</kbd>: all commands
    </p>
  )
}
