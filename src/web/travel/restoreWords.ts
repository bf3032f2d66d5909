/** What a restore would do, in plain words. Pure. */
import type { RestorePlanView } from '../../wire/checkpointView.ts'
import { shortPath } from '../state/words.ts'

type Kind = RestorePlanView['steps'][number]['kind']

export type RestoreLine = { readonly words: string; readonly names: readonly string[] }

/** What is worth knowing first comes first. */
const DEEDS: readonly { readonly kinds: readonly Kind[]; readonly one: string; readonly many: string }[] = [
  { kinds: ['bringBack'], one: 'Restored, asleep:', many: 'Restored, asleep:' },
  {
    kinds: ['forget'],
    one: 'Removed:',
    many: 'Removed:',
  },
  { kinds: ['lost', 'rest'], one: 'Stays asleep, with its earlier screen:', many: 'Stay asleep, with their earlier screens:' },
  { kinds: ['adopt'], one: 'Keeps running, moved back:', many: 'Keep running, moved back:' },
  { kinds: ['keepStranger'], one: 'Keeps running, newer than the checkpoint:', many: 'Keep running, newer than the checkpoint:' },
]

/** With only one workspace, what stands elsewhere is not touched: nothing is to be said of it. */
export function restoreLines(plan: RestorePlanView, nameOf: (id: string) => string): readonly RestoreLine[] {
  const lines = DEEDS.filter(({ kinds }) => plan.only === null || !kinds.includes('keepStranger')).flatMap(({ kinds, one, many }) => {
    const steps = plan.steps.filter(({ kind }) => kinds.includes(kind))
    const names = steps.map(({ terminal, name }) => name ?? nameOf(terminal))
    return names.length === 0 ? [] : [{ words: names.length === 1 ? one : many, names }]
  })
  const missing = plan.missingPaths.map(({ path }) => ({ words: 'Missing directory:', names: [shortPath(path)] }))
  const away = plan.host.isSame ? [] : [{ words: `The checkpoint is from another machine; this one is ${plan.host.name}.`, names: [] }]
  return [...away, ...lines, ...missing]
}
