import { useState } from 'react'
import type { Refusal } from '../../../base/refusal.ts'
import { START_OVER } from '../../../workspace/startOver.ts'
import { usePageState, useParts } from '../../parts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { StartOverDone } from './StartOverDone.tsx'
import { goesWords, introWords, progressOf } from './startOverWords.ts'
import { TypeWords } from './TypeWords.tsx'

/** Two deliberate steps: what would go is read, then the words are typed. */
type Stage =
  | { readonly kind: 'list' }
  | { readonly kind: 'type' }
  /** `count` is how many terminals there were. */
  | { readonly kind: 'ending'; readonly count: number }
  | { readonly kind: 'done'; readonly checkpoint: string; readonly count: number }

export function StartOverDialog({ onLeave }: { readonly onLeave: () => void }) {
  const { page } = useParts()
  const terminals = usePageState().terminals ?? []
  const [stage, setStage] = useState<Stage>({ kind: 'list' })
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const start = async () => {
    setRefusal(null)
    setStage({ kind: 'ending', count: terminals.length })
    const answer = await page.ask('workspace.startOver', { confirm: START_OVER })
    if (answer.ok) return setStage({ kind: 'done', checkpoint: answer.value.checkpoint, count: answer.value.closed.length })
    setRefusal(answer.refusal)
    setStage({ kind: 'list' })
  }
  const leave = () => stage.kind !== 'ending' && onLeave()
  return (
    <Dialog labelledBy="startOverTitle" onLeave={leave}>
      <h2 id="startOverTitle">{stage.kind === 'done' ? 'Started over' : 'Start over?'}</h2>
      {refusal !== null && (
        <p className="wrong" role="alert">
          {refusal.message} {refusal.hint}
        </p>
      )}
      {stage.kind === 'list' && (
        <>
          <p>{introWords(terminals.length)}</p>
          <ul className="goesList" aria-label="What would go">
            {terminals.map((terminal) => (
              <li key={terminal.id}>{goesWords(terminal)}</li>
            ))}
          </ul>
          <div className="choices">
            <button type="button" data-first onClick={onLeave}>
              Keep everything
            </button>
            <button type="button" onClick={() => setStage({ kind: 'type' })}>
              Go on…
            </button>
          </div>
        </>
      )}
      {stage.kind === 'type' && <TypeWords onLeave={onLeave} onTyped={() => void start()} />}
      {stage.kind === 'ending' && <p role="status">{progressOf(terminals, stage.count)}</p>}
      {stage.kind === 'done' && <StartOverDone checkpoint={stage.checkpoint} count={stage.count} onLeave={onLeave} />}
    </Dialog>
  )
}
