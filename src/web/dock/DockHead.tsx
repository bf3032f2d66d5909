import { actionOf, keysOf } from '../actions.ts'
import { useIsNarrow, usePageState, useParts } from '../parts.ts'
import { PLATFORM, shortcutText } from '../shortcuts.ts'
import { DOCK_COLLAPSED } from './dockShape.ts'

export function DockHead() {
  const { page } = useParts()
  const { settings } = usePageState()
  const isNarrow = useIsNarrow()
  const palette = actionOf('palette')
  const keys = palette === null ? null : keysOf(palette, settings.keys)
  return (
    <div className="brand">
      <span className="brandName">Holdfast</span>
      <button type="button" className="quiet finder" onClick={() => page.open({ kind: 'palette', text: '' })}>
        Find {keys !== null && <kbd>{shortcutText(keys, PLATFORM)}</kbd>}
      </button>
      {!isNarrow && (
        <button type="button" className="quiet" aria-label="Hide the dock" title="Hide the dock" onClick={() => DOCK_COLLAPSED.set(true)}>
          «
        </button>
      )}
    </div>
  )
}
