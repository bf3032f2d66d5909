import { terminalIn, usePage } from '../hooks/parts.ts'
import { StateMark } from '../ui/StateMark.tsx'
import './health.css'
import type { TerminalView } from '../../wire/view.ts'
import { troubleOf, withTrouble } from './healthWords.ts'

const useTrouble = (id: string) =>
  usePage((state) => {
    const terminal = terminalIn(state, id)
    return terminal === null ? null : troubleOf(terminal, state.health)
  })

/** In the title bar, where its program cannot be reached. */
export function TroubleChip({ terminal }: { readonly terminal: string }) {
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
export function TroubleNote({ terminal }: { readonly terminal: string }) {
  const trouble = useTrouble(terminal)
  return trouble === null ? null : <p className="trouble">{trouble.why === '' ? trouble.words : trouble.why}</p>
}

/** A terminal with what its health has to say about it: for all who say how it does. */
export function useTold(terminal: TerminalView): TerminalView {
  return usePage(({ health }) => withTrouble(terminal, health))
}
