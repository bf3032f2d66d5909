import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { daemonsOf, list, status } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** All logs together stay within bounds, and what goes is never what somebody could miss first. */
const MIB = 1 << 20
const config = (total: number): string => `log_total_bytes = ${total}\n[web]\nport = 0\n`
const print = (name: string, then: string): string => `seq -f '${name} %.0f ${'x'.repeat(60)}' 80000; echo last words of ${name}; ${then}`

async function end(home: Home, name: string): Promise<void> {
  expect((await run(home, ['wait', name, '--exit', '--timeout', '30'])).code).toBe(0)
  await until(async () => (await list(home)).some((each) => each.name === name && each.state === 'asleep'), {
    what: `${name} to be asleep`,
  })
}

const runs = (home: Home): string[] => readdirSync(`${home.path}/runs`)
const cardOf = (home: Home, run: string): { terminal: string; startedAt: number } =>
  JSON.parse(readFileSync(`${home.path}/runs/${run}/holder.json`, 'utf8')) as { terminal: string; startedAt: number }
const bytesOf = (home: Home, run: string): number =>
  readdirSync(`${home.path}/runs/${run}`).reduce((sum, name) => sum + statSync(`${home.path}/runs/${run}/${name}`).size, 0)
const segmentsOf = (home: Home, run: string): string[] => readdirSync(`${home.path}/runs/${run}`).filter((name) => name.endsWith('.log'))
const total = (home: Home): number => runs(home).reduce((sum, run) => sum + bytesOf(home, run), 0)

test('the oldest output of ended programs goes when all logs take too much, whenever the daemon dies, and nothing of a live one', async () => {
  await using home = makeHomeWithOwnPort()
  writeFileSync(`${home.path}/config.toml`, config(100 * MIB))
  const again = (await run(home, ['new', '--name', 'again', '--', 'sh', '-c', print('again', 'exit 0')])).stdout.trim()
  await end(home, 'again')
  const [past = ''] = runs(home)
  await run(home, ['wake', 'again'])
  await end(home, 'again')
  const once = (await run(home, ['new', '--name', 'once', '--', 'sh', '-c', print('once', 'exit 0')])).stdout.trim()
  await end(home, 'once')
  const live = (await run(home, ['new', '--name', 'live', '--', 'sh', '-c', print('live', 'exec sleep 300')])).stdout.trim()
  await run(home, ['wait', 'live', '--text', 'last words', '--timeout', '30'])
  const runOf = (terminal: string): string =>
    runs(home).find((run) => run !== past && !/closed|r0000000000/.test(run) && cardOf(home, run).terminal === terminal) ?? ''
  const ofLive = await until(() => segmentsOf(home, runOf(live)).length === 2 && segmentsOf(home, runOf(live)), {
    what: 'all of it on disk',
  })
  expect([segmentsOf(home, runOf(again)).length, segmentsOf(home, runOf(once)).length]).toEqual([2, 2])
  expect(runs(home)).toHaveLength(4)
  await run(home, ['daemon', 'stop'])
  const unknown = `${home.path}/runs/r0000000000`
  mkdirSync(unknown)
  writeFileSync(`${unknown}/000000000000000.log`, 'whose is this?')

  // Room for all but the past run and the older part of one asleep terminal's log.
  writeFileSync(`${home.path}/config.toml`, config(total(home) - bytesOf(home, past) - MIB))
  for (const point of ['janitor:before-run', 'janitor:renamed', 'janitor:before-older', 'janitor:file-gone']) {
    await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: point } })
    await until(() => daemonsOf(home).length === 0, { what: `the daemon to die at ${point}` })
    expect(segmentsOf(home, runOf(live))).toEqual(ofLive)
    expect(segmentsOf(home, runOf(once))).toHaveLength(2)
  }
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  expect(runs(home)).not.toContain(past)
  expect(segmentsOf(home, runOf(again))).toHaveLength(1)
  expect(segmentsOf(home, runOf(once))).toHaveLength(2)
  expect(readdirSync(unknown)).toEqual(['000000000000000.log'])
  for (const name of ['again', 'once', 'live']) {
    const lines = (await run(home, ['read', name, '--history', 'all'])).stdout.trimEnd().split('\n')
    expect(lines.pop()).toBe(`last words of ${name}`)
    const numbers = lines.map((line) => Number(line.split(' ')[1]))
    const first = numbers[0] ?? 0
    expect(numbers).toEqual(Array.from({ length: 80_001 - first }, (_, index) => first + index))
    if (name === 'again') expect(first).toBeGreaterThan(1)
    else expect(first).toBe(1)
  }
  const { logs } = (await status(home)) as unknown as { logs: { bytes: number; limit: number } }
  expect(logs.bytes).toBeLessThanOrEqual(logs.limit)
  expect((await run(home, ['daemon', 'status'])).stdout).toMatch(/^logs {6}\d+ MiB of \d+ MiB$/m)
  expect((await run(home, ['doctor'])).stdout).toMatch(/logs +\d+ MiB in /)
}, 120_000)
