import { HealthMark } from '../health/HealthMark.tsx'
import { usePageState, useParts } from '../parts.ts'
import { useNotificationPermission } from '../useNotificationPermission.ts'

export function DockFoot() {
  const { page } = useParts()
  const { terminals, settings } = usePageState()
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
