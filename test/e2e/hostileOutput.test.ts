import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import { connectTo, daemonsOf, status, views } from '../support/daemon.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** What no program's output may do to the daemon: `npm run bench -- hostile` measures the same for longer. */
const FLOODS = fixtureProgram('floods-events.mjs')
const KINDS = execFileSync(process.execPath, [FLOODS, '--kinds'], { encoding: 'utf8' }).trim().split('\n')
const AT_ONCE = 8
const FLOOD_MB = 2 // of titles that is more than a hundred thousand
const MOST_MB = 300

let home: Home
let daemon: DaemonClient

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  await run(home, ['daemon', 'start'])
  daemon = await connectTo(home)
})

afterAll(async () => {
  daemon.close()
  await home.dispose()
})

const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

async function flood(kind: string): Promise<string> {
  const params = { cwd: '/', env: {}, command: process.execPath, args: [FLOODS, kind, '--seconds', '20', '--mb', String(FLOOD_MB)] }
  const made = await daemon.request('terminal.new', params)
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.result.id
}

test('every kind of event at full speed leaves the daemon small and answering, and ends with its last value', async () => {
  const { pid } = await status(home)
  let mostMb = 0
  const waiting = [...KINDS]
  const worker = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
      const id = await flood(kind)
      await until(
        async () => {
          mostMb = Math.max(mostMb, residentMb(pid))
          return (await views(home)).find((view) => view.id === id)?.title === `last of ${kind}`
        },
        { what: `the last title after a flood of ${kind}`, timeoutMs: 30_000 },
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const listed = await run(home, ['ls'])
  expect(listed.code).toBe(0)
  expect(listed.stdout.trim().split('\n').length).toBeGreaterThan(KINDS.length)
  expect((await status(home)).pid).toBe(pid)
  expect(daemonsOf(home).map((seen) => seen.pid)).toEqual([pid])
  expect(mostMb).toBeLessThan(MOST_MB)
  await until(
    async () => {
      const { events } = await status(home)
      for (const kind of ['title', 'cwd', 'bell', 'status', 'reply']) expect(events?.dropped[kind] ?? 0, kind).toBeGreaterThan(1_000)
      return true
    },
    { what: 'the dropped events to be counted' },
  )
})
