import { describe, expect, it } from 'vitest'
import { runId, terminalId } from '../../test/support/terminals.ts'
import { systemProcesses } from '../holder/processes.ts'
import type { HolderCard } from '../wire/holder.ts'
import type { Effect } from '../workspace/step.ts'
import { Settlings } from './agents/settle.ts'
import type { Daemon } from './daemon.ts'
import { makeRunEffect } from './effects.ts'

const RUN = runId(1)
const ME = { holderPid: process.pid, holderStart: systemProcesses().startOf(process.pid) }
const NOBODY = { holderPid: 2 ** 31 - 1, holderStart: '1' }
const EFFECTS: readonly Effect[] = [
  { kind: 'settle', run: RUN, graceMs: 0, then: 'sleep' },
  { kind: 'kill', run: RUN },
]

/** A daemon whose link to the holder is down. */
function withoutLink(card: () => Partial<HolderCard> | null): Daemon {
  const holders = { card, ensure: () => Promise.resolve(), send: () => false }
  const daemon = { holders, react: () => undefined } as unknown as Daemon
  const sights = { of: () => null, heard: () => undefined }
  return Object.assign(daemon, { settlings: new Settlings(daemon, sights) })
}

describe.each(EFFECTS)('$kind, of a run whose link is down', (effect) => {
  const carryOut = (daemon: Daemon): Promise<void> => makeRunEffect(daemon)(effect, terminalId(1), null)

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
