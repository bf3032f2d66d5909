import { useEffect, useRef, useState } from 'react'
import type { Refusal } from '../../../base/refusal.ts'
import { useParts } from '../../parts.ts'
import { doneWords } from './startOverWords.ts'

type Props = { readonly checkpoint: string; readonly count: number; readonly onLeave: () => void }

export function StartOverDone({ checkpoint, count, onLeave }: Props) {
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
        Restoring the checkpoint <code>{checkpoint}</code> takes it back, here or with <code>holdfast restore {checkpoint}</code>.
      </p>
      {refusal !== null && (
        <p className="wrong" role="alert">
          {refusal.message} {refusal.hint}
        </p>
      )}
      <div className="choices">
        <button type="button" disabled={isAsking} onClick={() => void takeBack()}>
          Take it back
        </button>
        <button type="button" className="primary" ref={close} onClick={onLeave}>
          Close
        </button>
      </div>
    </>
  )
}
