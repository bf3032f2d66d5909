/** The conversation with which a process was started, as its command line names it. */
import type { Agent } from './agent.ts'
import { argsOf } from './argv.ts'

type Launching = Pick<Agent, 'id' | 'recognise' | 'idPattern' | 'resume' | 'assign' | 'flags'>

export type Launched = { readonly id: string; readonly provenance: 'user' | 'assigned' }

/** A word that stands in for an id, so that the shape of the arguments around it can be compared. */
const PLACE = '\u0000'

export function launchedWith(agent: Agent, argv: readonly string[]): Launched | null {
  const args = argsOf(agent, argv)
  const before = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (before.includes('--fork-session') || before.includes('--fork')) return null
  const assigned = agent.assign === null ? null : idWithin(agent, agent.assign(PLACE), before)
  if (assigned !== null) return { id: assigned, provenance: 'assigned' }
  const resumed = agent.resume === null ? null : idWithin(agent, agent.resume(PLACE), before)
  return resumed === null ? null : { id: resumed, provenance: 'user' }
}

function idWithin({ idPattern }: Launching, shape: readonly string[], args: readonly string[]): string | null {
  const found = args.flatMap((_, from) => {
    const ids = shape.map((word, index) => idAt(word, args[from + index] ?? ''))
    return ids.includes(null) ? [] : ids.filter((id) => id !== null && id !== '')
  })
  return found.find((id) => id !== null && idPattern.test(id)) ?? null
}

/** Empty where the word is the same, the id where it stands for one, null where it differs. */
function idAt(shape: string, word: string): string | null {
  const at = shape.indexOf(PLACE)
  if (at === -1) return shape === word ? '' : null
  return word.startsWith(shape.slice(0, at)) ? word.slice(at) || null : null
}
