import { type ToggleEvent, useId, useRef } from 'react'
import { PRESETS, type Preset } from '../../../workspace/layout/presets.ts'
import { useParts, useWorkspace } from '../../hooks/parts.ts'
import { openCanvas } from '../../layout/openCanvas.ts'
import { arrangeIn } from '../../layout/verbs.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import './layoutMenu.css'

/** Where the lines of each picture are, in a box of 24 by 16. */
const PICTURES: Readonly<Record<Preset, string>> = {
  1: '',
  2: 'M12 0v16',
  3: 'M12 0v16M12 8h12',
  4: 'M12 0v16M0 8h24',
  6: 'M8 0v16M16 0v16M0 8h24',
  9: 'M8 0v16M16 0v16M0 5.3h24M0 10.7h24',
}

const NAMES: Readonly<Record<Preset, string>> = {
  1: '1: tabs',
  2: '2: side by side',
  3: '3: one large + two',
  4: '4: grid',
  6: '6: grid',
  9: '9: grid',
}

/** Presets of the split, and order on the canvas. */
export function LayoutMenu() {
  const parts = useParts()
  const workspace = useWorkspace()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const isCanvas = workspace?.view === 'canvas'
  const choose = (how: Parameters<typeof arrangeIn>[1]) => {
    box.current?.hidePopover()
    void arrangeIn(parts, how).then(() => how === 'byRepository' && openCanvas()?.fit())
  }
  const place = (event: ToggleEvent<HTMLDivElement>) => {
    const under = button.current?.getBoundingClientRect()
    if (event.newState !== 'open' || under === undefined) return
    event.currentTarget.style.top = `${under.bottom + 4}px`
    event.currentTarget.style.right = `${Math.max(8, innerWidth - under.right)}px`
  }
  return (
    <>
      <IconButton ref={button} icon="layout" label="Layout" popoverTarget={id} disabled={workspace === null} />
      <div ref={box} id={id} className="layoutBox" popover="auto" onBeforeToggle={place}>
        {isCanvas ? (
          <button type="button" onClick={() => choose('byRepository')}>
            Arrange by repository
          </button>
        ) : (
          <>
            <fieldset className="presets" aria-label="Layout presets">
              {PRESETS.map((count) => (
                <button type="button" key={count} onClick={() => choose(count)}>
                  <svg viewBox="-1 -1 26 18" aria-hidden="true">
                    <rect width="24" height="16" rx="2.5" />
                    <path d={PICTURES[count]} />
                  </svg>
                  {NAMES[count]}
                </button>
              ))}
            </fieldset>
            <button type="button" onClick={() => choose('balance')}>
              Balance all splits
            </button>
          </>
        )}
      </div>
    </>
  )
}
