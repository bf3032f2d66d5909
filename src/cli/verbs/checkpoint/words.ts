/** Checkpoints in words, for people. */
import type { CheckpointSummaryView } from '../../../wire/checkpointView.ts'

/** Why one is not good: a restore never begins with such a one by itself. */
export const goodText = ({ knownGood, terminalCount }: Pick<CheckpointSummaryView, 'knownGood' | 'terminalCount'>): string =>
  knownGood ? 'good' : terminalCount === 0 ? 'empty' : 'not whole'

const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const

export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const count = bytes / 1024 ** power
  return `${power === 0 || count >= 10 ? Math.round(count) : count.toFixed(1)} ${UNITS[power]}`
}
