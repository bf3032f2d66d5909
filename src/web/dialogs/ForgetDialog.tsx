import { useState } from 'react'
import type { Refusal } from '../../base/refusal.ts'
import type { TerminalView } from '../../wire/view.ts'
import { useParts } from '../hooks/parts.ts'
import { nameOf } from '../state/words.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { lastOf, useAsked } from '../ui/useAsked.ts'
import { forgetSentences } from './closingWords.ts'

type Props = { readonly terminal: TerminalView; readonly onLeave: () => void }

/** Shows what goes before it goes: it cannot be brought back. */
export function ForgetDialog({ terminal, onLeave }: Props) {
  const { page } = useParts()
  const wish = { what: { kind: 'terminals' as const, terminals: [terminal.id] } }
  const planned = useAsked({ key: terminal.id, ask: () => page.ask('forget.plan', wish) })
  const [isForgetting, setForgetting] = useState(false)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const refusal = refused ?? (planned.kind === 'refused' ? planned.refusal : null)
  const forget = async () => {
    setForgetting(true)
    const forgotten = await page.ask('forget.apply', wish)
    setForgetting(false)
    if (!forgotten.ok) return setRefused(forgotten.refusal)
    page.toasts.show({
      id: `forgotten ${terminal.id}`,
      text: forgotten.value.trouble ?? `Forgot “${nameOf(terminal)}”.`,
      action: null,
      forMs: 8_000,
    })
    onLeave()
  }
  return (
    <Dialog labelledBy="forgetTitle" onLeave={onLeave}>
      <h2 id="forgetTitle">Forget “{nameOf(terminal)}”?</h2>
      {refusal === null && <p role="status">{forgetSentences(lastOf(planned)).join(' ')}</p>}
      {refusal !== null && (
        <p className="wrong" role="alert">
          {refusal.message} {refusal.hint}
        </p>
      )}
      <div className="choices">
        <button type="button" data-first onClick={onLeave}>
          Cancel
        </button>
        <button type="button" className="danger" disabled={planned.kind !== 'answered' || isForgetting} onClick={() => void forget()}>
          {isForgetting ? 'Forgetting…' : 'Forget'}
        </button>
      </div>
    </Dialog>
  )
}
