/** Holders of ours: nothing but the system is needed, and a program lives as long as its holder. */
import type { Backend } from './backend.ts'
import { orderFor, type Surroundings, start, throughHolder } from './throughHolder.ts'

export const holderBackend = (surroundings: Surroundings): Backend => ({
  kind: 'holder',
  obstacle: () => Promise.resolve(null),
  spawn: (order) => start(surroundings, orderFor(surroundings, order)),
  survivors: () => Promise.resolve([]),
  ...throughHolder(surroundings),
})
