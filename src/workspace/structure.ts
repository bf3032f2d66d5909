import { lastingOf } from './checkpointLasting.ts'
import type { Terminal } from './terminal.ts'

/**
 * What of a terminal is structure, as text that can be compared: all that lasts, but for its size, which a border that
 * is dragged changes many times a second.
 */
export function structureOf(terminal: Terminal): string {
  const { spec, ...rest } = lastingOf({ terminal, cwd: null, agent: null, env: {}, screen: null })
  const { size: _, ...program } = spec
  return JSON.stringify([rest, program])
}
