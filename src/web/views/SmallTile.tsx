import type { TerminalView } from '../../wire/view.ts'
import { useTold } from '../health/useTold.ts'
import { useNow, useParts } from '../parts.ts'
import { StateMark } from '../ui/StateMark.tsx'
import { nameOf } from '../words.ts'
import { stateOf } from './headerWords.ts'
import { toggleZoom } from './verbs.ts'

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
    <button type="button" className="smallTile" title={`${name}: ${state}\nToo small to be drawn; click to zoom it`} onClick={show}>
      <StateMark mark={mark} />
      <span className="smallName">{name}</span>
      <span className="unseen">, {state}. Zoom it</span>
    </button>
  )
}
