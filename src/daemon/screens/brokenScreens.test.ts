import { beforeAll, expect, test } from 'vitest'
import { makeDaemon, put, seenOn, writeRun } from '../../../test/support/ownDaemon.ts'
import { buildStore } from '../../../test/support/store.ts'
import { asleep, runId, terminalId } from '../../../test/support/terminals.ts'
import { placed } from '../../../test/support/workspaces.ts'

beforeAll(buildStore)

test('whoever looks while the thread of a screen is replaced gets it from the next one, and is not refused', async () => {
  const [run, terminal] = [runId(1), terminalId(1)]
  const sleeping = asleep({ id: terminal, lastRun: run, because: { kind: 'lost' } })
  const daemon = await makeDaemon(placed(sleeping))
  writeRun(daemon, { run, terminal, texts: ['last words\r\n'] })
  await put(daemon, sleeping)
  expect(await seenOn(daemon, terminal)).toContain('last words')
  for (let worker = 0; worker < daemon.screens.count; worker++) await daemon.screens.end(worker)
  expect(daemon.screens.has(run)).toBe(false)
  expect(await seenOn(daemon, terminal)).toContain('last words')
})
