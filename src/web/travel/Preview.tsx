import { type CSSProperties, useState } from 'react'
import type { CheckpointTerminalView, CheckpointView } from '../../wire/checkpointView.ts'
import type { WorkspaceView } from '../../wire/topologyView.ts'
import { nameOf } from '../state/words.ts'
import { Still } from '../tiles/still/Still.tsx'
import { type PlanTile, planOf } from './plan.ts'
import { SINCE_WORDS, type Since } from './sinceThen.ts'

type Props = {
  readonly checkpoint: CheckpointView
  readonly workspace: WorkspaceView
  readonly since: Since | null
  /** The terminal that is looked at closely. */
  readonly close: string | null
  readonly onClose: (terminal: string | null) => void
}

/** A workspace as it was: its plan, and in each place the screen of then. */
export function Preview({ checkpoint, workspace, since, close, onClose }: Props) {
  const { tiles, aspect } = planOf(workspace)
  const near = tiles.find(({ terminals }) => close !== null && terminals.includes(close))
  const shown = near === undefined ? tiles : [{ ...near, rect: { x: 0, y: 0, width: 1, height: 1 } }]
  if (tiles.length === 0) return <p className="planEmpty">This workspace had no terminals.</p>
  return (
    <div className="planRoom">
      <div className="plan" style={near === undefined ? aspectOf(aspect) : undefined}>
        {shown.map((tile) => (
          <Tile
            key={`${workspace.id} ${tile.terminals.join()}`}
            {...{ tile, checkpoint, since, onClose }}
            isNear={near !== undefined}
            isZoomed={workspace.layout.zoomed !== null && tile.terminals.includes(workspace.layout.zoomed as never)}
          />
        ))}
      </div>
    </div>
  )
}

const aspectOf = (aspect: number | null): CSSProperties | undefined =>
  aspect === null ? undefined : { aspectRatio: String(aspect), width: 'auto', maxWidth: '100%', margin: '0 auto' }

type TileProps = Pick<Props, 'checkpoint' | 'since' | 'onClose'> & {
  readonly tile: PlanTile
  readonly isNear: boolean
  readonly isZoomed: boolean
}

function Tile({ tile, checkpoint, since, isNear, isZoomed, onClose }: TileProps) {
  const [front, setFront] = useState(tile.active)
  const tabs = tile.terminals.flatMap((id) => checkpoint.terminals.find((terminal) => terminal.id === id) ?? [])
  const terminal = tabs.find(({ id }) => id === front) ?? tabs[0]
  if (terminal === undefined) return null
  const mark = since?.marks.get(terminal.id)
  const { x, y, width, height } = tile.rect
  return (
    <figure
      className="planTile"
      data-mark={mark}
      style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` }}
    >
      <figcaption>
        {tabs.length === 1 ? <Name terminal={terminal} /> : <Tabs {...{ tabs, since }} front={terminal.id} onFront={setFront} />}
        {isZoomed && <span className="planNote">zoomed</span>}
        {mark !== undefined && <span className="sinceMark">{SINCE_WORDS[mark]}</span>}
      </figcaption>
      <button
        type="button"
        className="planStill"
        aria-label={isNear ? 'Back to overview' : `Enlarge ${nameOf(terminal)}`}
        title={isNear ? 'Back to overview' : 'Enlarge'}
        onClick={() => onClose(isNear ? null : terminal.id)}
      >
        <StillOf terminal={terminal} checkpoint={checkpoint.id} />
      </button>
    </figure>
  )
}

const Name = ({ terminal }: { readonly terminal: CheckpointTerminalView }) => <span className="planName">{nameOf(terminal)}</span>

type TabsProps = {
  readonly tabs: readonly CheckpointTerminalView[]
  readonly since: Since | null
  readonly front: string
  readonly onFront: (id: string) => void
}

function Tabs({ tabs, since, front, onFront }: TabsProps) {
  return (
    <span className="planTabs">
      {tabs.map((terminal) => {
        const mark = since?.marks.get(terminal.id)
        return (
          <button
            type="button"
            key={terminal.id}
            aria-pressed={terminal.id === front}
            title={mark === undefined ? undefined : SINCE_WORDS[mark]}
            data-mark={mark}
            onClick={() => onFront(terminal.id)}
          >
            {nameOf(terminal)}
          </button>
        )
      })}
    </span>
  )
}

type StillOfProps = { readonly terminal: CheckpointTerminalView; readonly checkpoint: string }

/** What a terminal showed then, as far as it was kept. */
function StillOf({ terminal, checkpoint }: StillOfProps) {
  const { id, screen, theme, size } = terminal
  if (screen === null) return <span className="planBlank">No screen was saved.</span>
  return (
    <Still
      terminal={id}
      checkpoint={checkpoint}
      run={screen.hash}
      theme={theme}
      size={size}
      label={`The saved screen of ${nameOf(terminal)}`}
      missing="The saved screen cannot be shown."
    />
  )
}
