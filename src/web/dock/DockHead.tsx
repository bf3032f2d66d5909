import { useIsNarrow } from '../parts.ts'
import { DOCK_COLLAPSED } from './dockShape.ts'

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
