import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { makeFolder } from '../../../test/support/store.ts'
import { asleep, live, runId, terminalId } from '../../../test/support/terminals.ts'
import { entry } from '../../../test/support/workspaces.ts'
import { REDACTED } from '../../workspace/redact/redactShapes.ts'
import { SeenPrograms } from './seen.ts'

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const id = terminalId(1)

/** A real program that waits in `cwd`, with this environment and no other. */
async function program(cwd: string, env: Record<string, string>): Promise<number> {
  const child = spawn('/bin/sleep', ['300'], { cwd, env, stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  const pid = child.pid ?? 0
  await until(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('/bin/sleep'), { what: 'the program to run' })
  return pid
}

const sources = { allow: ['MY_*'], reported: () => null }
const at = (pid: number) => live({ id, run: runId(1), pid })

describe.runIf(process.platform === 'linux')('a running program', () => {
  test('is seen where it is, with what the allow-list names of its environment, redacted', async () => {
    const cwd = realpathSync(makeFolder())
    const env = { HOME: '/home/ada', MY_VALUE: TOKEN, OTHER: 'x', GH_TOKEN: 'short', HOLDFAST_TERMINAL_ID: id }
    const terminal = at(await program(cwd, env))
    const seen = new SeenPrograms()
    expect(seen.of(terminal)).toEqual({ cwd: null, env: {} })
    await seen.look([terminal], sources)
    expect(seen.of(terminal)).toMatchObject({ cwd, env: { HOME: '/home/ada', MY_VALUE: REDACTED, GH_TOKEN: REDACTED } })
    expect(Object.keys(seen.of(terminal).env).sort()).toEqual(['GH_TOKEN', 'HOME', 'MY_VALUE'])
  })

  test('is told of when it is seen elsewhere, and of a program that stays where it was started nothing is', async () => {
    const [here, there] = [realpathSync(makeFolder()), realpathSync(makeFolder())]
    const seen = new SeenPrograms()
    const moved: string[] = []
    seen.onMoved = (terminal) => moved.push(terminal)
    const started = { ...at(await program(here, { HOLDFAST_TERMINAL_ID: id })) }
    const terminal = { ...started, spec: { ...started.spec, cwd: here } }
    await seen.lookAt(terminal, sources)
    expect(moved).toEqual([])
    const gone = { ...terminal, pid: await program(there, { HOLDFAST_TERMINAL_ID: id }) }
    for (let look = 0; look < 3; look++) await seen.lookAt(gone, sources)
    expect([moved, seen.of(gone).cwd]).toEqual([[id], there])
  })

  test('whose environment is not yet its own is looked at again', async () => {
    const terminal = at(await program('/', { HOME: '/holder', HOLDFAST_TERMINAL_ID: terminalId(9) }))
    const seen = new SeenPrograms()
    await seen.look([terminal], sources)
    const now = at(await program('/', { HOME: '/own', HOLDFAST_TERMINAL_ID: id }))
    await seen.look([now], sources)
    expect(seen.of(now).env).toEqual({ HOME: '/own' })
    // From here on it is known: another process cannot change it.
    await seen.look([at(await program('/', { HOME: '/later', HOLDFAST_TERMINAL_ID: id }))], sources)
    expect(seen.of(now).env).toEqual({ HOME: '/own' })
  })

  test('in a directory that was removed is where that was', async () => {
    const cwd = join(realpathSync(makeFolder()), 'gone')
    mkdirSync(cwd)
    const terminal = at(await program(cwd, { HOME: '/' }))
    rmSync(cwd, { recursive: true })
    const seen = new SeenPrograms()
    await seen.look([terminal], sources)
    expect(seen.of(terminal).cwd).toBe(cwd)
  })
})

test('a program that cannot be looked at keeps what was seen of it, and what it reports itself', async () => {
  const seen = new SeenPrograms()
  seen.remember([entry(at(0), { cwd: '/before', env: { LANG: 'C' } })])
  await seen.look([at(999_999_999)], sources)
  expect(seen.of(at(0))).toMatchObject({ cwd: '/before', env: { LANG: 'C' } })
  await seen.look([at(999_999_999)], { ...sources, reported: () => '/says/so' })
  expect(seen.of(at(0))).toMatchObject({ cwd: '/says/so', env: { LANG: 'C' } })
})

test('of a terminal that fell asleep the last sight stays; that of a run that is gone does not', async () => {
  const seen = new SeenPrograms()
  seen.remember([entry(at(0), { cwd: '/last' })])
  await seen.look([asleep({ id, lastRun: runId(1) })], sources)
  expect(seen.of(asleep({ id, lastRun: runId(1) })).cwd).toBe('/last')
  await seen.look([asleep({ id, lastRun: runId(2) })], sources)
  expect(seen.of(asleep({ id, lastRun: runId(1) })).cwd).toBeNull()
})

test('without /proc only what is reported is known', async () => {
  const seen = new SeenPrograms(null)
  await seen.look([at(process.pid)], { ...sources, reported: () => '/reported' })
  expect(seen.of(at(1))).toMatchObject({ cwd: '/reported', env: {} })
})
