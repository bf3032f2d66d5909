/** Starts over with an empty workspace, in two deliberate steps. What is said is in startOverWords.ts. */
import { useEffect, useRef, useState } from 'react'
import type { Refusal } from '../../../base/refusal.ts'
import { START_OVER } from '../../../workspace/checkpoint/startOver.ts'
import { usePage, useParts } from '../../hooks/parts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { doneWords, goesWords, introWords, progressOf } from './startOverWords.ts'

/** Two deliberate steps: what would go is read, then the words are typed. */
type Stage =
  | { readonly kind: 'list' }
  | { readonly kind: 'type' }
  /** `count` is how many terminals there were. */
  | { readonly kind: 'ending'; readonly count: number }
  | { readonly kind: 'done'; readonly checkpoint: string; readonly count: number }

export function StartOverDialog({ onLeave }: { readonly onLeave: () => void }) {
  const { page } = useParts()
  const terminals = usePage(({ terminals }) => terminals) ?? []
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
          <ul className="goesList" aria-label="Terminals to close">
            {terminals.map((terminal) => (
              <li key={terminal.id}>{goesWords(terminal)}</li>
            ))}
          </ul>
          <div className="choices">
            <button type="button" data-first onClick={onLeave}>
              Keep everything
            </button>
            <button type="button" onClick={() => setStage({ kind: 'type' })}>
              Continue…
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

type Props = { readonly checkpoint: string; readonly count: number; readonly onLeave: () => void }

function StartOverDone({ checkpoint, count, onLeave }: Props) {
  const { page } = useParts()
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => close.current?.focus(), [])
  const takeBack = async () => {
    setAsking(true)
    const restored = await page.ask('restore.apply', { checkpoint })
    if (restored.ok) return onLeave()
    setRefusal(restored.refusal)
    setAsking(false)
  }
  return (
    <>
      <p role="status">{doneWords(count)}</p>
      <p>
        Restoring the checkpoint <code>{checkpoint}</code> undoes this, here or with <code>holdfast restore {checkpoint}</code>.
      </p>
      {refusal !== null && (
        <p className="wrong" role="alert">
          {refusal.message} {refusal.hint}
        </p>
      )}
      <div className="choices">
        <button type="button" disabled={isAsking} onClick={() => void takeBack()}>
          Undo
        </button>
        <button type="button" className="primary" ref={close} onClick={onLeave}>
          Close
        </button>
      </div>
    </>
  )
}

/** Nothing happens until the words are there, whatever is pressed. */
function TypeWords({ onTyped, onLeave }: { readonly onTyped: () => void; readonly onLeave: () => void }) {
  const [text, setText] = useState('')
  const isTyped = text.trim().toLowerCase() === START_OVER
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isTyped) onTyped()
      }}
    >
      <p>Programs get time to finish, then a checkpoint is saved, then everything is closed.</p>
      <label>
        Type “{START_OVER}” to continue
        <input
          // biome-ignore lint/a11y/noAutofocus: it is what this step is about, and harmless
          autoFocus
          value={text}
          maxLength={40}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div className="choices">
        <button type="button" onClick={onLeave}>
          Keep everything
        </button>
        <button type="submit" className="danger" disabled={!isTyped}>
          Start over
        </button>
      </div>
    </form>
  )
}
