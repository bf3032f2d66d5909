import { useTerminal } from '../../hooks/parts.ts'
import { nameOf } from '../../state/words.ts'
import { useTileDrag } from '../tile/tileDrag.ts'

/** Over everything while a terminal is dragged: its name at the pointer, and where it would go. */
export function DropPreview() {
  const drag = useTileDrag()
  const terminal = useTerminal(drag?.terminal ?? null)
  if (drag === null || terminal === null) return null
  const { at, target } = drag
  return (
    <div className="dropLayer" aria-hidden="true">
      {target?.kind === 'tile' && (
        <div
          className="dropZone"
          data-where={target.where}
          style={{ left: target.preview.x, top: target.preview.y, width: target.preview.width, height: target.preview.height }}
        />
      )}
      <span className="dragName" style={{ left: at.x, top: at.y }}>
        {nameOf(terminal)}
      </span>
    </div>
  )
}
