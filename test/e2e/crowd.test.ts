import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCrowd } from '../../bench/lab/crowd.mjs'
import { connectTo, status } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { makeHomeWithOwnPort } from '../support/home.ts'

/** A small version of `npm run bench -- crowd`. */
const COUNTS = fileURLToPath(new URL('../../bench/programs/counts-when-told.sh', import.meta.url))
const TERMINALS = 6
const LINES = 3_000
const MOST_MB = 300

test('many clients on many terminals each see every byte, beside slow ones and ones that send garbage', async () => {
  await using home = makeHomeWithOwnPort()
  await run(home, ['daemon', 'start'])
  const { pid } = await status(home)
  const daemon = await connectTo(home)
  const terminals: string[] = []
  for (let n = 0; n < TERMINALS; n++) {
    const made = await daemon.request('terminal.new', { cwd: '/', env: {}, command: 'sh', args: [COUNTS, String(LINES)] })
    if (!made.ok) throw new Error(made.refusal.message)
    terminals.push(made.value.result.id)
    await daemon.request('terminal.wait', { terminal: made.value.result.id, until: { kind: 'text', pattern: 'ready-to-count' } })
  }
  const crowd = { socketPath: `${home.path}/sockets/daemon.sock`, terminals, readers: 24, slow: 4, garbage: 3, lines: LINES }
  const { readers, thrownOut } = await runCrowd(crowd)
  expect(readers.map(({ fault, lines }) => ({ fault, lines }))).toEqual(Array(24).fill({ fault: null, lines: LINES }))
  expect(thrownOut).toBeGreaterThan(0)
  expect((await status(home)).pid).toBe(pid)
  expect(Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024).toBeLessThan(MOST_MB)
  daemon.close()
})
