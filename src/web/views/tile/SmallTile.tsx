import type { TerminalView } from '../../../wire/view.ts'
import { useTold } from '../../health/TileTrouble.tsx'
import { useNow, useParts } from '../../hooks/parts.ts'
import { toggleZoom } from '../../layout/verbs.ts'
import { nameOf } from '../../state/words.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { stateOf } from './headerWords.ts'

/** A terminal in a place too small to read anything in: which one it is and how it does. Nothing of it is fetched or drawn. */
export function SmallTile({ terminal }: { readonly terminal: TerminalView }) {
  const parts = useParts()
  const { mark, state } = stateOf(useTold(terminal), useNow())
  const name = nameOf(terminal)
  const show = () => {
    parts.page.focus(terminal.id)
    void toggleZoom(parts, terminal.id)
  }
  return (
    <button type="button" className="smallTile" title={`${name}: ${state}\nToo small to show; click to zoom`} onClick={show}>
      <StateMark mark={mark} />
      <span className="smallName">{name}</span>
      <span className="unseen">, {state}. Zoom</span>
    </button>
  )
}
