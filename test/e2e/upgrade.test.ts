import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { list, programsOf, status } from '../support/daemon.ts'
import { environment, type Ran, run, runProgram } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { isRunning } from '../support/processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The product as built, but speaking other versions of the holder protocol. It lies inside the repository to find its libraries. */
function otherBuild(options: {
  oldest: number
  newest: number
  version: string
}): Disposable & { run(home: Home, args: readonly string[]): Promise<Ran> } {
  mkdirSync(`${root}/test/artifacts`, { recursive: true })
  const folder = mkdtempSync(`${root}/test/artifacts/build-`)
  for (const part of ['dist', 'bin']) cpSync(`${root}/${part}`, `${folder}/${part}`, { recursive: true })
  const description = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as object
  writeFileSync(`${folder}/package.json`, JSON.stringify({ ...description, version: options.version }))
  // Each process is one file, so each has the constant.
  for (const name of ['cli/main.bundle.js', 'daemon/main.bundle.js', 'daemon/screens/screenWorker.bundle.js', 'holder/main.js']) {
    const file = `${folder}/dist/${name}`
    const changed = readFileSync(file, 'utf8').replace(
      /(HOLDER_PROTOCOL = \{\s*oldest: )\d+(,\s*newest: )\d+/,
      (_, oldest: string, newest: string) => oldest + options.oldest + newest + options.newest,
    )
    expect(changed).not.toBe(readFileSync(file, 'utf8'))
    writeFileSync(file, changed)
  }
  return {
    run: (home, args) => runProgram(process.execPath, [`${folder}/bin/holdfast.cjs`, ...args], { env: environment(home) }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const PROGRAM = ['--', 'sh', '-c', 'echo ready; while read line; do echo "got $line"; done']

test('a daemon of the next version adopts the holders that the previous one started', async () => {
  await using home = makeHome()
  using next = otherBuild({ oldest: 1, newest: 3, version: '99.0.0' })
  await run(home, ['new', '--name', 'old', ...PROGRAM])
  const [before] = await list(home)
  await run(home, ['daemon', 'stop'])
  await next.run(home, ['daemon', 'start'])
  expect((await status(home)).version).toBe('99.0.0')
  const [after] = await list(home)
  expect(after).toMatchObject({ id: before?.id, pid: before?.pid, holderPid: before?.holderPid, state: 'live', trouble: null })
  await run(home, ['send', 'old', 'hello', '--enter'])
  expect((await run(home, ['wait', 'old', '--text', 'got hello', '--timeout', '5'])).code).toBe(0)
  expect((await next.run(home, ['new', '--name', 'new', ...PROGRAM])).code).toBe(0)
  expect((await list(home)).map(({ state }) => state)).toEqual(['live', 'live'])
})

test('a holder that speaks an unknown version is shown as such and left alone', async () => {
  await using home = makeHome()
  using stranger = otherBuild({ oldest: 7, newest: 9, version: '99.0.0' })
  await run(home, ['new', '--name', 'mine', ...PROGRAM])
  const [before] = await list(home)
  await run(home, ['daemon', 'stop'])
  await stranger.run(home, ['daemon', 'start'])
  const [seen] = await list(home)
  expect(seen).toMatchObject({ id: before?.id, state: 'live', pid: before?.pid })
  expect(seen?.trouble).toMatch(/protocol 1–2/)
  for (const args of [
    ['send', 'mine', 'x'],
    ['close', '--yes', 'mine'],
  ]) {
    const refused = await run(home, args)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/speaks protocol 1–2/)
  }
  await stranger.run(home, ['daemon', 'stop', '--all'])
  expect(isRunning(before?.pid ?? null)).toBe(true)
  await run(home, ['daemon', 'start'])
  expect((await list(home))[0]).toMatchObject({ id: before?.id, pid: before?.pid, state: 'live', trouble: null })
  expect(programsOf(home)).toHaveLength(1)
})
