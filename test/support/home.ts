import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { run } from './holdfast.ts'
import { until } from './milestone.ts'
import { endProcesses, processesMentioning } from './processes.ts'

/** A state directory of one test's own. Use it as `await using home = makeHome()`, or dispose of it in `afterEach`. */
export type Home = AsyncDisposable & {
  readonly path: string
  /** Stops the daemon with its programs, and fails if a process of this home is left after that. */
  dispose(): Promise<void>
  /** Ends every process of this home by its pid: for tests that break things on purpose. */
  sweep(): Promise<void>
}

/**
 * A home whose page has a port that no other home asks for: a page that waits for its daemon must not find that another
 * test's daemon has taken the usual one meanwhile.
 */
export function makeHomeWithOwnPort(): Home {
  const home = makeHome()
  writeFileSync(join(home.path, 'config.toml'), '[web]\nport = 0\n')
  return home
}

/** A home like this one, whose processes are gone: what several tests begin with is made once. */
export function copyHome(home: Home): Home {
  const copy = makeHome()
  cpSync(home.path, copy.path, { recursive: true, filter: (from) => !/[./]sock$/.test(from) })
  return copy
}

const STOP_MS = 10_000

export function makeHome(): Home {
  const root = process.env['HOLDFAST_TEST_ROOT']
  if (root === undefined) throw new Error('HOLDFAST_TEST_ROOT is missing: run tests through vitest.config.ts')
  const path = mkdtempSync(join(root, 'h-'))
  const dispose = () => stopAndRemove(path)
  return { path, dispose, sweep: () => sweepAndRemove(path), [Symbol.asyncDispose]: dispose }
}

async function stopAndRemove(path: string): Promise<void> {
  if (processesMentioning(path).length > 0) {
    const stopped = await run(path, ['daemon', 'stop', '--all'], { timeoutMs: STOP_MS }).catch((error: Error) => ({
      stderr: error.message,
    }))
    const left = await waitUntilEnded(path, 3_000)
    if (left.length > 0) {
      await sweepAndRemove(path)
      const list = left.map(({ pid, command }) => `  ${pid}: ${command}`).join('\n')
      throw new Error(`these processes outlived "daemon stop --all":\n${list}\n${stopped.stderr}`)
    }
  }
  rmSync(path, { recursive: true, force: true })
}

async function waitUntilEnded(path: string, timeoutMs: number) {
  await until(() => processesMentioning(path).length === 0, { what: `the processes of ${path} to end`, timeoutMs }).catch(() => undefined)
  return processesMentioning(path)
}

async function sweepAndRemove(path: string): Promise<void> {
  await endProcesses(path, { timeoutMs: STOP_MS })
  rmSync(path, { recursive: true, force: true })
}
