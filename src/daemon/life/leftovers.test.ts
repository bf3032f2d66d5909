import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asleep, runId, terminalId, waking } from '../../../test/support/terminals.ts'
import { pathsOf } from '../../wire/paths.ts'
import { removeLeftovers, settleClosedRuns } from './leftovers.ts'

const MINUTE_MS = 60_000

function makePaths() {
  const home = mkdtempSync(join(tmpdir(), 'left-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const paths = pathsOf({ home, uid: 0, temporary: tmpdir(), hash: () => '' })
  mkdirSync(paths.runs)
  return paths
}

test('a run directory that no holder signed and no terminal names goes when it is old, and nothing else does', () => {
  const paths = makePaths()
  for (const number of [1, 2, 3, 4]) mkdirSync(join(paths.runs, runId(number)))
  writeFileSync(join(paths.runs, runId(2), 'holder.json'), '{}')
  writeFileSync(join(paths.runs, runId(1), '0.log'), 'half a log')
  mkdirSync(join(paths.runs, 'of-the-user'))
  const terminals = [asleep({ lastRun: runId(3) }), waking({ run: runId(8), lastRun: runId(8), previousRun: runId(4) })]
  removeLeftovers(paths, { terminals, now: Date.now() + 0.9 * MINUTE_MS })
  expect(existsSync(join(paths.runs, runId(1)))).toBe(true)
  removeLeftovers(paths, { terminals, now: Date.now() + 1.1 * MINUTE_MS })
  expect(readdirSync(paths.runs).sort()).toEqual(['of-the-user', runId(2), runId(3), runId(4)])
})

test('what goes with its terminal comes back with it, or waits with it; what was being removed does not', () => {
  const paths = makePaths()
  const card = (terminal: number): string => JSON.stringify({ run: runId(1), terminal: terminalId(terminal), holderPid: 1 })
  for (const [name, terminal] of [
    [`${runId(1)}.closed`, 1],
    [`${runId(2)}.closed`, 2],
    [`${runId(3)}.removed`, 1],
    [`${runId(5)}.closed`, 5],
  ] as const) {
    mkdirSync(join(paths.runs, name))
    writeFileSync(join(paths.runs, name, 'holder.json'), card(terminal))
  }
  mkdirSync(join(paths.runs, `${runId(4)}.closed`))
  const is = (number: number) => (terminal: string) => terminal === terminalId(number)
  settleClosedRuns(paths, { isKnown: is(1), isClosed: is(5) })
  expect(readdirSync(paths.runs).sort()).toEqual([runId(1), `${runId(5)}.closed`])
})

test('the probe of a daemon that died while it tried the directory goes', () => {
  const paths = makePaths()
  writeFileSync(join(paths.home, '.probe-4711'), '')
  writeFileSync(join(paths.home, '.profile'), '')
  removeLeftovers(paths, { terminals: [], now: Date.now() })
  expect(readdirSync(paths.home).sort()).toEqual(['.profile', 'runs'])
})
