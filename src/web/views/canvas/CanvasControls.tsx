import { keysTextFor } from '../../actions/actions.ts'
import { useMay, usePage, useParts } from '../../hooks/parts.ts'
import { openCanvas } from '../../layout/openCanvas.ts'
import { arrangeIn } from '../../layout/verbs.ts'
import { keepKeyboard } from '../../ui/dom.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ZoomText } from './flow.tsx'

export function CanvasControls() {
  const parts = useParts()
  const settings = usePage(({ settings }) => settings)
  const may = useMay()
  const keys = (action: string) => keysTextFor(action, settings)
  return (
    <div className="canvasControls" role="toolbar" aria-label="Canvas" onMouseDown={keepKeyboard}>
      <IconButton icon="minus" label="Zoom out" keys={keys('canvas.zoomOut')} onClick={() => openCanvas()?.zoomBy(0.8)} />
      <button
        type="button"
        className="zoomText"
        title={`Show at 100 % (${keys('canvas.actualSize') ?? 'no keys'})`}
        onClick={() => openCanvas()?.actualSize()}
      >
        <ZoomText />
        <span className="unseen">, show at 100 %</span>
      </button>
      <IconButton icon="plus" label="Zoom in" keys={keys('canvas.zoomIn')} onClick={() => openCanvas()?.zoomBy(1.25)} />
      <IconButton icon="fit" label="Show all" keys={keys('canvas.fit')} onClick={() => openCanvas()?.fit()} />
      {may('canvas.arrange') && (
        <IconButton
          icon="arrange"
          label="Arrange by repository"
          keys={keys('canvas.arrange')}
          onClick={() => void arrangeIn(parts, 'byRepository').then(() => openCanvas()?.fit())}
        />
      )}
    </div>
  )
}
