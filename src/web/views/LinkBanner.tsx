import type { Link } from '../state/page.ts'

const SENTENCES: Readonly<Record<Exclude<Link, 'live'>, { readonly text: string; readonly hint: string }>> = {
  connecting: { text: 'Connecting…', hint: '' },
  away: { text: 'Daemon away – reconnecting', hint: 'Your programs keep running. Typing is off until it’s back.' },
  stranger: {
    text: 'Another program answers at this address',
    hint: 'Nothing was sent to it. Run holdfast in a shell and open its link.',
  },
  loggedOut: { text: 'Logged out', hint: 'Run holdfast in a shell and open its link. This page then reconnects.' },
  outdated: { text: 'Another version of the daemon', hint: 'Reload this page.' },
}

/** Lies over the page without moving anything: what is shown stays true, only old. */
export function LinkBanner({ link }: { readonly link: Link }) {
  return (
    <div className="banner" role="status" data-link={link}>
      {link !== 'live' && (
        <p>
          <strong>{SENTENCES[link].text}</strong>
          {SENTENCES[link].hint !== '' && <span>{SENTENCES[link].hint}</span>}
          {link === 'loggedOut' && <a href="/login">Log in</a>}
          {link === 'outdated' && <a href="/">Reload</a>}
        </p>
      )}
    </div>
  )
}
