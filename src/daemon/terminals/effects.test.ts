import { describe, expect, it } from 'vitest'
import { runId, terminalId } from '../../../test/support/terminals.ts'
import { systemProcesses } from '../../holder/processes.ts'
import type { HolderCard } from '../../wire/holder.ts'
import type { Effect } from '../../workspace/terminal/events.ts'
import { isHolderAlive } from '../backends/holders.ts'
import { type EffectsWorld, makeRunEffect } from './effects.ts'
import { Endings } from './endings.ts'

const RUN = runId(1)
const ME = { holderPid: process.pid, holderStart: systemProcesses().startOf(process.pid) }
const NOBODY = { holderPid: 2 ** 31 - 1, holderStart: '1' }
const EFFECTS: readonly Effect[] = [
  { kind: 'settle', run: RUN, graceMs: 0, then: 'sleep' },
  { kind: 'kill', run: RUN },
]

/** A daemon whose link to the holder is down. */
function withoutLink(card: () => Partial<HolderCard> | null): EffectsWorld {
  const holders = { card, send: () => false, ensure: () => Promise.resolve() }
  const agents = { of: () => null, heard: () => Promise.resolve() }
  const world = { holders, agents, isHolderAlive, happened: () => undefined } as unknown as ConstructorParameters<typeof Endings>[0]
  return { holders, endings: new Endings(world) } as unknown as EffectsWorld
}

describe.each(EFFECTS)('$kind, of a run whose link is down', (effect) => {
  const carryOut = (daemon: EffectsWorld): Promise<void> => makeRunEffect(daemon)(effect, terminalId(1), null)

  it('has nothing to do when the holder is dead', async () => {
    await expect(carryOut(withoutLink(() => NOBODY))).resolves.toBeUndefined()
  })

  it('waits for the end of a holder that is dying', async () => {
    let looks = 0
    await expect(carryOut(withoutLink(() => (++looks > 3 ? null : ME)))).resolves.toBeUndefined()
    expect(looks).toBe(4)
  })

  it('fails, to be tried again, when the holder lives on', async () => {
    await expect(carryOut(withoutLink(() => ME))).rejects.toThrow('its holder does not answer')
  })
})
