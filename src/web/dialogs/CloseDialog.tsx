import { useEffect, useId, useRef, useState } from 'react'
import type { ClosingView } from '../../wire/commands/closing.ts'
import type { TerminalView } from '../../wire/view.ts'
import { useParts } from '../hooks/parts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { type Asked, lastOf, useAsked } from '../ui/useAsked.ts'
import { closingWords, stageOf, type WorktreeLine, worktreeLine } from './closingWords.ts'

/** The daemon answers within some ten milliseconds; after this, the dialog opens without its answer. */
const LATE_AFTER_MS = 600

type Props = {
  readonly terminal: TerminalView
  readonly onConfirm: (wish: { readonly removeWorktree: boolean }) => void
  readonly onCancel: () => void
}

/** Asks before something is lost. Where nothing would be, and there is nothing to offer, it closes at once. */
export function CloseDialog({ terminal, onConfirm, onCancel }: Props) {
  const { page } = useParts()
  const { id } = terminal
  const isInWorktree = (terminal.repository?.worktree ?? null) !== null
  const quick = useAsked({ key: id, ask: () => page.ask('terminal.closing', { terminal: id, worktree: false }) })
  const whole = useAsked({ key: isInWorktree ? id : null, ask: () => page.ask('terminal.closing', { terminal: id }) })
  const isLate = useLate()
  const stage = stageOf({ quick, whole, isInWorktree, isLate })
  const hasAsked = useRef(false)
  if (stage === 'ask') hasAsked.current = true // what is shown once is answered by the user, whatever is heard later
  const closesAtOnce = stage === 'close' && !hasAsked.current
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever else is drawn anew
  useEffect(() => {
    if (closesAtOnce) onConfirm({ removeWorktree: false })
  }, [closesAtOnce])
  if (!hasAsked.current) return null
  return <Question terminal={terminal} closing={lastOf(quick)} whole={whole} onConfirm={onConfirm} onCancel={onCancel} />
}

function useLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}

type Asking = Props & { readonly closing: ClosingView | null; readonly whole: Asked<ClosingView> }

function Question({ terminal, closing, whole, onConfirm, onCancel }: Asking) {
  const [removes, setRemoves] = useState(false)
  const { title, sentences, verb } = closingWords(terminal, closing)
  const line = worktreeLine(terminal, whole)
  const removeWorktree = removes && line?.kind === 'offer'
  return (
    <Dialog labelledBy="closeTitle" onLeave={onCancel}>
      <h2 id="closeTitle">{title}</h2>
      <p>{sentences.join(' ')}</p>
      {line !== null && <Worktree line={line} removes={removes} onChange={setRemoves} />}
      <div className="choices">
        <button type="button" data-first onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={() => onConfirm({ removeWorktree })}>
          {verb}
        </button>
      </div>
    </Dialog>
  )
}

type WorktreeProps = { readonly line: WorktreeLine; readonly removes: boolean; readonly onChange: (removes: boolean) => void }

/** As high before the answer as after it. */
function Worktree({ line, removes, onChange }: WorktreeProps) {
  const hint = useId()
  if (line.kind !== 'offer')
    return (
      <p className="worktreeLine" role="status">
        {line.text}
      </p>
    )
  return (
    <div className="worktreeLine">
      <label className="tick">
        <input type="checkbox" checked={removes} aria-describedby={hint} onChange={(event) => onChange(event.currentTarget.checked)} />
        {line.text}
      </label>
      <p className="fieldHint" id={hint}>
        {line.hint}
      </p>
    </div>
  )
}
