import type { Link } from '../page.ts'
import { usePageState, useParts } from '../parts.ts'
import { useNotificationPermission } from '../useNotificationPermission.ts'

const LINK_WORDS: Readonly<Record<Link, string>> = {
  live: 'Live',
  connecting: 'Connecting',
  away: 'Reconnecting',
  loggedOut: 'Not connected',
  outdated: 'Not connected',
}

export function DockFoot() {
  const { page } = useParts()
  const { link, version, terminals, settings } = usePageState()
  const permission = useNotificationPermission()
  const hasAgents = terminals?.some(({ agent }) => agent !== null) === true
  return (
    <>
      {permission.state === 'default' && settings.notifications && hasAgents && (
        <p className="dockOffer">
          <span>Hear of agents while you look elsewhere?</span>
          <button type="button" onClick={permission.ask}>
            Enable notifications
          </button>
        </p>
      )}
      <p className="foot">
        <span className="linkDot" data-link={link} aria-hidden="true" />
        <span>{link === 'live' && version !== null ? `Live · ${version}` : LINK_WORDS[link]}</span>
        <button type="button" className="quiet" onClick={() => page.open({ kind: 'shortcuts' })}>
          Shortcuts
        </button>
        <button type="button" className="quiet" onClick={() => page.open({ kind: 'settings' })}>
          Settings
        </button>
      </p>
    </>
  )
}
