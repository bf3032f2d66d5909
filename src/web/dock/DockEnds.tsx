import { agentOf } from '../../wire/view.ts'
import { HealthMark } from '../health/HealthMark.tsx'
import { useIsNarrow, useMay, usePage, useParts } from '../hooks/parts.ts'
import { useNotificationPermission } from '../notify/notifier.ts'
import { DOCK_COLLAPSED } from '../state/dockShape.ts'

export function DockFoot() {
  const { page } = useParts()
  const { settings, hasAgents } = usePage(({ terminals, settings }) => ({
    settings,
    hasAgents: terminals?.some((terminal) => agentOf(terminal) !== null) === true,
  }))
  useMay() // renders again when the settings may no longer be opened
  const permission = useNotificationPermission()
  return (
    <>
      {permission.state === 'default' && settings.notifications && hasAgents && (
        <p className="dockOffer">
          <span>Get notified when an agent needs you?</span>
          <button type="button" onClick={permission.ask}>
            Enable notifications
          </button>
        </p>
      )}
      <p className="foot">
        <HealthMark />
        {page.mayOpen({ kind: 'settings' }) && (
          <>
            <button type="button" className="quiet" onClick={() => page.open({ kind: 'shortcuts' })}>
              Shortcuts
            </button>
            <button type="button" className="quiet" onClick={() => page.open({ kind: 'settings' })}>
              Settings
            </button>
          </>
        )}
      </p>
    </>
  )
}

export function DockHead() {
  const isNarrow = useIsNarrow()
  return (
    <div className="brand">
      <h1 className="brandName">Holdfast</h1>
      {!isNarrow && (
        <button type="button" className="quiet" aria-label="Hide the dock" title="Hide the dock" onClick={() => DOCK_COLLAPSED.set(true)}>
          «
        </button>
      )}
    </div>
  )
}
