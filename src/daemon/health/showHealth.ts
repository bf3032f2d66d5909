/** What is told of everybody's health together. */
import type { HealthView, WatchedView } from '../../wire/healthView.ts'
import { type Load, shedAt } from '../../workspace/load.ts'

const RANK = { failed: 0, dead: 1, recovering: 2, verifying: 3, unknown: 4, alive: 5 } as const

/** The worst first; among equals in the order in which they were added. */
export function showHealth(watched: readonly WatchedView[], load: Load, now: number): HealthView {
  const { stage, why } = load
  return {
    at: now,
    overall: overallOf(watched, load),
    load: { stage, why, shed: shedAt(stage) },
    watched: watched.toSorted((a, b) => rankOf(a) - rankOf(b)),
  }
}

const rankOf = ({ state, why }: WatchedView): number => RANK[state] - (why === null ? 0 : 0.5)

function overallOf(watched: readonly WatchedView[], { stage }: Load): HealthView['overall'] {
  const isDown = watched.some(({ state }) => state === 'dead' || state === 'failed' || state === 'recovering')
  if (isDown || stage === 3) return 'ill'
  return stage > 0 || watched.some(({ why }) => why !== null) ? 'degraded' : 'well'
}

/** Sentences about what cannot be used; what is only not as it should be is said by whoever knows it. */
export function troublesIn({ watched, load }: HealthView): string[] {
  const down = watched.filter(({ state }) => state === 'dead' || state === 'failed' || state === 'recovering')
  const sentences = down.map(({ kind, name, terminal, state, why }) => `${terminal ?? name} (${kind}) is ${state}: ${why}`)
  return load.why === null ? sentences : [...sentences, `load, stage ${load.stage}: ${load.why}; ${load.shed.join('; ')}`]
}

/** Two views with the same text differ in times alone. */
export const textOf = ({ overall, load, watched }: HealthView): string =>
  JSON.stringify([overall, load, watched.map(({ answeredInMs: _, nextCheckAt: __, ...lasting }) => lasting)])
