/** What a restore would do, in plain words. Pure. */
import type { RestorePlanView } from '../../wire/restoreView.ts'
import { shortPath } from '../words.ts'

type Kind = RestorePlanView['steps'][number]['kind']

export type RestoreLine = { readonly words: string; readonly names: readonly string[] }

/** What is worth knowing first comes first. */
const DEEDS: readonly { readonly kinds: readonly Kind[]; readonly one: string; readonly many: string }[] = [
  { kinds: ['bringBack'], one: 'Comes back, asleep, with its screen of then:', many: 'Come back, asleep, with their screens of then:' },
  {
    kinds: ['forget'],
    one: 'Is removed, because it sleeps and was not there:',
    many: 'Are removed, because they sleep and were not there:',
  },
  { kinds: ['lost', 'rest'], one: 'Stays asleep, with its screen of then:', many: 'Stay asleep, with their screens of then:' },
  { kinds: ['adopt'], one: 'Goes on, in its place of then:', many: 'Go on, in their places of then:' },
  { kinds: ['keepStranger'], one: 'Goes on, though it was not there:', many: 'Go on, though they were not there:' },
]

/** With only one workspace, what stands elsewhere is not touched: nothing is to be said of it. */
export function restoreLines(plan: RestorePlanView, nameOf: (id: string) => string): readonly RestoreLine[] {
  const lines = DEEDS.filter(({ kinds }) => plan.only === null || !kinds.includes('keepStranger')).flatMap(({ kinds, one, many }) => {
    const steps = plan.steps.filter(({ kind }) => kinds.includes(kind))
    const names = steps.map(({ terminal, name }) => name ?? nameOf(terminal))
    return names.length === 0 ? [] : [{ words: names.length === 1 ? one : many, names }]
  })
  const missing = plan.missingPaths.map(({ path }) => ({ words: 'This directory is not there any more:', names: [shortPath(path)] }))
  const away = plan.host.isSame ? [] : [{ words: `It was taken on another machine; this one is ${plan.host.name}.`, names: [] }]
  return [...away, ...lines, ...missing]
}
