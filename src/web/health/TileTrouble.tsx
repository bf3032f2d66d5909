import type { TerminalView } from '../../wire/view.ts'
import { usePageState } from '../parts.ts'
import { StateMark } from '../ui/StateMark.tsx'
import './health.css'
import { troubleOf } from './healthWords.ts'

const useTrouble = (terminal: TerminalView) => {
  const { health } = usePageState()
  return troubleOf(terminal, health)
}

/** In the title bar, where its program cannot be reached. */
export function TroubleChip({ terminal }: { readonly terminal: TerminalView }) {
  const trouble = useTrouble(terminal)
  if (trouble === null) return null
  return (
    <span className="troubleChip" data-tone={trouble.tone} title={trouble.why}>
      <StateMark mark={trouble.tone === 'unknown' ? 'turning' : 'warning'} />
      {trouble.words}
      <span className="unseen">: {trouble.why}</span>
    </span>
  )
}

/** Over what it last showed: why that may be old, or is not there at all. */
export function TroubleNote({ terminal }: { readonly terminal: TerminalView }) {
  const trouble = useTrouble(terminal)
  return trouble === null ? null : <p className="trouble">{trouble.why === '' ? trouble.words : trouble.why}</p>
}
