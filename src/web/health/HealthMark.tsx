import { useMay, usePage, useParts } from '../hooks/parts.ts'
import './health.css'
import { standingOf } from './healthWords.ts'

const LINK_WORDS = {
  live: 'Connected',
  connecting: 'Connecting',
  away: 'Reconnecting',
  stranger: 'Not connected',
  loggedOut: 'Not connected',
  outdated: 'Not connected',
}

/** A dot that says how everything does, and why on pointing at it; beside it, whether the daemon is there. */
export function HealthMark() {
  const { page } = useParts()
  useMay() // renders again when the dialog may no longer be opened
  const { link, version, health } = usePage(({ link, version, health }) => ({ link, version, health }))
  const { tone, word, head, sentences } = standingOf(health, link)
  const words = link === 'live' && version !== null ? `Connected · ${version}` : LINK_WORDS[link]
  if (!page.mayOpen({ kind: 'health' })) return <span className="healthMark">{words}</span>
  const told = [head, ...sentences].join('\n')
  return (
    <button
      type="button"
      className="quiet healthMark"
      data-tone={tone}
      aria-haspopup="dialog"
      title={told}
      onClick={() => page.open({ kind: 'health' })}
    >
      <span className="healthDot" data-tone={tone} aria-hidden="true" />
      <span className="healthWords">{word ?? words}</span>
      <span className="unseen">. Health: {[head, ...sentences].join('. ')}</span>
    </button>
  )
}
