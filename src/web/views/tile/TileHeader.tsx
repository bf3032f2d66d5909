import type { PointerEvent } from 'react'
import type { TerminalView } from '../../../wire/view.ts'
import { terminalsOf } from '../../../workspace/layout/layout.ts'
import { keysTextFor } from '../../actions/actions.ts'
import { TroubleChip, useTold } from '../../health/TileTrouble.tsx'
import { useMay, useNow, usePage, useParts, useWorkspace } from '../../hooks/parts.ts'
import { splitBeside, toggleZoom } from '../../layout/verbs.ts'
import { keepKeyboard } from '../../ui/dom.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { stateOf, whereInFull, whereOf } from './headerWords.ts'
import { SLEEP_TAUGHT } from './SleepTip.tsx'
import { SlotTabs, UnreadDot } from './SlotTabs.tsx'
import { TileMenu } from './TileMenu.tsx'
import { TileName } from './TileName.tsx'
import { tileDrag } from './tileDrag.ts'

type Props = { readonly terminal: TerminalView; readonly tabs: readonly string[]; readonly grip: 'dock' | 'canvas' }

/** Says which terminal it is and how it does; dragged, it moves the tile. */
export function TileHeader({ terminal, tabs, grip }: Props) {
  const { page, tiles } = useParts()
  const take = (event: PointerEvent<HTMLElement>) => {
    const at = event.target instanceof Element ? event.target : null
    if (event.button !== 0 || at === null || at.closest('input, .actions, .tabClose, .zoomHint') !== null) return
    const taken = at.closest('[data-tab]')?.getAttribute('data-tab') ?? terminal.id
    if (taken === terminal.id) {
      if (page.state.focused !== taken) page.focus(taken)
      tiles.focus()
    }
    if (grip === 'dock' && event.pointerType !== 'touch' && page.may('terminal.move'))
      tileDrag.begin(page, taken, { x: event.clientX, y: event.clientY })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what dragging does, keys do as actions
    <header className="tileHeader" onPointerDown={take} onMouseDown={keepKeyboard}>
      {tabs.length > 1 ? <SlotTabs tabs={tabs} active={terminal.id} /> : <Title terminal={terminal} />}
      <TroubleChip terminal={terminal.id} />
      <ZoomHint terminal={terminal} />
      <Actions terminal={terminal} />
    </header>
  )
}

function Title({ terminal }: { readonly terminal: TerminalView }) {
  const { mark, state } = stateOf(useTold(terminal), useNow())
  return (
    <>
      <span className="headMark" title={state}>
        <StateMark mark={mark} />
        <span className="unseen">{state}</span>
      </span>
      <TileName terminal={terminal} />
      {terminal.unread && <UnreadDot />}
      <span className="about" title={whereInFull(terminal)}>
        {whereOf(terminal)}
      </span>
    </>
  )
}

function ZoomHint({ terminal }: { readonly terminal: TerminalView }) {
  const parts = useParts()
  const settings = usePage(({ settings }) => settings)
  const layout = useWorkspace()?.layout
  if (layout?.zoomed !== terminal.id) return null
  const others = terminalsOf(layout).length - 1
  const keys = keysTextFor('terminal.zoom', settings)
  return (
    <button
      type="button"
      className="zoomHint nodrag"
      title={keys === null ? 'Show all terminals' : `Show all terminals (${keys})`}
      onClick={() => void toggleZoom(parts, terminal.id)}
    >
      <Icon name="unzoom" />
      {others > 0 ? `${others} hidden · Show all` : 'Zoomed'}
      {keys !== null && <kbd>{keys}</kbd>}
    </button>
  )
}

function Actions({ terminal: { id }, terminal }: { readonly terminal: TerminalView }) {
  const parts = useParts()
  const settings = usePage(({ settings }) => settings)
  const may = useMay()
  const isZoomed = useWorkspace()?.layout.zoomed === id
  const keys = (action: string) => keysTextFor(action, settings)
  return (
    <span className="actions nodrag">
      {may('terminal.new') && (
        <>
          <IconButton
            icon="splitRight"
            className="roomy"
            label="Split right"
            keys={keys('split.right')}
            onClick={() => void splitBeside(parts, id, 'right')}
          />
          <IconButton
            icon="splitDown"
            className="roomy"
            label="Split down"
            keys={keys('split.down')}
            onClick={() => void splitBeside(parts, id, 'bottom')}
          />
        </>
      )}
      <IconButton
        icon={isZoomed ? 'unzoom' : 'zoom'}
        className="roomy"
        label={isZoomed ? 'Unzoom' : 'Zoom'}
        keys={keys('terminal.zoom')}
        onClick={() => void toggleZoom(parts, id)}
      />
      <SleepButton terminal={terminal} />
      <TileMenu terminal={terminal} />
      {may('terminal.close') && (
        <IconButton
          icon="close"
          label="Close"
          keys={keys('terminal.close')}
          onClick={() => parts.page.open({ kind: 'close', terminal: id })}
        />
      )}
    </span>
  )
}

/** ☾ for one that runs, the sun for one that sleeps. */
function SleepButton({ terminal: { id, state, backend } }: { readonly terminal: TerminalView }) {
  const { page, tiles } = useParts()
  const settings = usePage(({ settings }) => settings)
  const may = useMay()
  const isResting = state === 'asleep' || state === 'waking'
  if (!may(isResting ? 'terminal.wake' : 'terminal.sleep')) return null
  if (isResting)
    return (
      <IconButton
        icon="sun"
        label={backend === 'guest' ? 'Show again' : 'Wake'}
        keys={keysTextFor('terminal.wake', settings)}
        disabled={state === 'waking'}
        onClick={() => void tiles.wake(id, { mode: 'resume' })}
      />
    )
  return (
    <IconButton
      icon="moon"
      label={backend === 'guest' ? 'Release: it keeps running in your tmux' : 'Put to sleep'}
      keys={keysTextFor('terminal.sleep', settings)}
      disabled={state === 'settling'}
      onClick={() => {
        SLEEP_TAUGHT.set(true)
        void page.sleep(id)
      }}
    />
  )
}
