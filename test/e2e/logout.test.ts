import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { holdersOf, list } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'

/**
 * A user manager as far as Holdfast can see one: its socket, and a `systemd-run` that writes down what it was asked for.
 * The real one cannot run in a test: it needs a login session.
 */
function withUserManager(home: Home, script: string): Record<string, string> {
  const runtime = `${home.path}/runtime`
  mkdirSync(`${runtime}/systemd`, { recursive: true })
  mkdirSync(`${home.path}/bin`)
  writeFileSync(`${runtime}/systemd/private`, '')
  writeFileSync(`${home.path}/bin/systemd-run`, `#!/bin/sh\necho "$@" >> ${home.path}/asked\n${script}\n`)
  chmodSync(`${home.path}/bin/systemd-run`, 0o755)
  return { XDG_RUNTIME_DIR: runtime, PATH: `${home.path}/bin:${process.env['PATH'] ?? ''}` }
}

const SLEEPER = ['new', '--', 'sleep', '300']

test.runIf(process.platform === 'linux')('a holder starts in a scope of its own, so that logging out does not reach it', async () => {
  await using home = makeHome()
  const env = withUserManager(home, 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"')
  expect((await run(home, SLEEPER, { env })).code).toBe(0)
  const [terminal] = await list(home)
  expect(terminal?.state).toBe('live')
  expect(readFileSync(`${home.path}/asked`, 'utf8')).toMatch(/^--user --scope --quiet --collect --unit=holdfast-r\w+ -- .*holder\/main\.js/)
})

test.runIf(process.platform === 'linux')('a user manager that refuses costs the shelter, not the terminal', async () => {
  await using home = makeHome()
  const env = withUserManager(home, 'echo "Failed to connect to bus" >&2; exit 1')
  expect((await run(home, SLEEPER, { env })).code).toBe(0)
  expect(existsSync(`${home.path}/asked`)).toBe(true)
  expect((await list(home)).map(({ state }) => state)).toEqual(['live'])
})

test('a holder is a session of its own and does not hear the hang-up of the terminal it was asked from', async () => {
  await using home = makeHome()
  expect((await run(home, SLEEPER)).code).toBe(0)
  const [before] = await list(home)
  for (const { pid } of holdersOf(home)) process.kill(pid, 'SIGHUP')
  const [after] = await list(home)
  expect(after).toMatchObject({ state: 'live', pid: before?.pid })
})
