import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder } from '../store.ts'
import { agentCache, installAgent, PACKAGES } from './installAgents.ts'

const WORKING_NPM = `
place="$3"
echo "$*" >> "$FAKE_NPM_LOG"
sleep 0.2
mkdir -p "$place/node_modules/.bin"
printf '#!/bin/sh\\necho codex-cli ${PACKAGES.codex.version}\\n' > "$place/node_modules/.bin/codex"
chmod +x "$place/node_modules/.bin/codex"
`
const path = process.env['PATH']
let folder: string
let cache: string

beforeEach(() => {
  folder = makeFolder()
  cache = join(folder, 'cache')
  mkdirSync(join(folder, 'bin'))
  process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${path}`
  process.env['FAKE_NPM_LOG'] = join(folder, 'log')
  writeNpm(WORKING_NPM)
})
afterEach(() => {
  process.env['PATH'] = path
  delete process.env['FAKE_NPM_LOG']
})

function writeNpm(script: string): void {
  writeFileSync(join(folder, 'bin', 'npm'), `#!/bin/sh\n${script}`)
  chmodSync(join(folder, 'bin', 'npm'), 0o755)
}

const calls = (): string[] => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : [])

test('two who want the same agent at once install it once, and both have it', async () => {
  const [one, other] = await Promise.all([installAgent('codex', { cache }), installAgent('codex', { cache })])
  expect(one).toEqual(other)
  expect(one).toMatchObject({ ok: true, bin: expect.stringContaining('.bin/codex') })
  expect(calls()).toHaveLength(1)
  expect(calls()[0]).toContain(`@openai/codex@${PACKAGES.codex.version}`)
  expect(readdirSync(cache)).toHaveLength(1)
  expect(await installAgent('codex', { cache })).toEqual(one)
  expect(calls()).toHaveLength(1)
})

test('an install that fails says why, leaves nothing half there, and is not tried again at once', async () => {
  writeNpm(`echo "$*" >> "$FAKE_NPM_LOG"; echo 'npm error network unreachable' >&2; exit 1`)
  const failed = { ok: false, reason: 'codex could not be installed: npm ended with 1: npm error network unreachable' }
  expect(await installAgent('codex', { cache })).toEqual(failed)
  expect(await installAgent('codex', { cache })).toEqual(failed)
  expect(calls()).toHaveLength(1)
  expect(readdirSync(cache).filter((name) => !name.endsWith('.failed'))).toEqual([])
})

test('a program of another version than the one that was asked for is not taken', async () => {
  writeNpm(WORKING_NPM.replace(PACKAGES.codex.version, '0.1.0'))
  expect(await installAgent('codex', { cache })).toMatchObject({
    ok: false,
    reason: expect.stringContaining('it says that it is codex-cli 0.1.0'),
  })
})

test('the lock of a process that is gone keeps nobody out', async () => {
  mkdirSync(cache)
  writeFileSync(join(cache, `codex-${PACKAGES.codex.version}-${process.platform}-${process.arch}.lock`), String(2 ** 31 - 1))
  expect(await installAgent('codex', { cache })).toMatchObject({ ok: true })
})

test('an install that nobody waits for any more ends, and is no failure for the next', async () => {
  writeNpm('exec sleep 60')
  const stop = new AbortController()
  const installing = installAgent('codex', { cache, signal: stop.signal })
  stop.abort()
  expect(await installing).toMatchObject({ ok: false })
  writeNpm(WORKING_NPM)
  expect(await installAgent('codex', { cache })).toMatchObject({ ok: true })
})

test('the cache is where the environment says', () => {
  expect(agentCache({ HOLDFAST_TEST_AGENTS: '/some/where' })).toBe('/some/where')
})
