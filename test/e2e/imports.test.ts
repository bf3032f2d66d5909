import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { encodeSnapshot } from '../../src/screen/snapshot/snapshotBytes.ts'
import { blake3 } from '../../src/store/blake3.ts'
import { decodeExport, encodeExport } from '../../src/store/exportFile.ts'
import { isSealed } from '../../src/store/seal.ts'
import type { Terminal } from '../../src/workspace/terminal/terminal.ts'
import { programsOf } from '../support/daemon.ts'
import { environment, HOLDFAST, json, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty } from '../support/ptyClient.ts'
import { type Applied, change, powerCut, query, topologyOf } from '../support/restoring.ts'
import { screenWith } from '../support/screen/feed.ts'
import { asleep, runId, terminalId } from '../support/terminals.ts'
import type { TerminalRow } from '../support/terminalView.ts'
import { checkpointOf, entry, placed } from '../support/workspaces.ts'

/** Files from elsewhere: nothing in them runs, or is shown as more than text, before the user has said so. */
function makeQuietHome(config = ''): Home {
  const home = makeHome()
  writeFileSync(`${home.path}/config.toml`, `[web]\nport = 0\n${config}`)
  return home
}

const views = (home: Home): Promise<TerminalRow[]> => json<TerminalRow[]>(home, ['ls'])
const states = async (home: Home): Promise<string[]> => (await views(home)).map(({ name, state }) => `${name} ${state}`)

const HOST = { machine: 'elsewhere', boot: '', name: 'their-laptop' }

/** One terminal that would leave a file behind, if it ever ran. */
function writeHostile(home: Home, changes: Partial<Terminal> = {}): { readonly file: string; readonly proof: string } {
  const proof = `${home.path}/owned`
  const spec = {
    command: '/bin/sh',
    args: ['-c', `touch ${proof}; exec sleep 300`],
    cwd: '/',
    env: { BASH_ENV: '/x' },
    size: { cols: 80, rows: 24 },
  }
  const lost = { because: { kind: 'lost' }, since: Date.now() + 3_600_000, onRestore: 'wake' } as const
  const terminal = asleep({ id: terminalId(7), name: 'evil', spec, ...lost, ...(changes as object) })
  const file = `${home.path}/evil.holdfast`
  const checkpoint = checkpointOf({ topology: placed(terminal), terminals: [entry(terminal)] })
  writeFileSync(file, encodeExport({ checkpoint, host: HOST, screens: new Map() }))
  return { file, proof }
}

test('an imported terminal runs nothing after a crash, and its first wake shows the command and asks once', async () => {
  await using home = makeQuietHome('[restore]\npolicy = "all"\n')
  await run(home, ['new', '--name', 'mine', '--', 'sleep', '300'])
  const { file, proof } = writeHostile(home)
  const command = `/bin/sh -c 'touch ${proof}; exec sleep 300'`
  const planned = await run(home, ['import', file, '--plan'])
  expect(planned.stdout).toContain(`command      ${command}`)
  expect(planned.stdout).toContain('environment  yours, nothing added')
  expect((await json<Applied['plan']>(home, ['import', file, '--plan'])).steps[0]).toMatchObject({
    start: { command, directory: '/', environment: {} },
  })
  await json<Applied>(home, ['import', file, '--yes'])
  await powerCut(home)
  await run(home, ['daemon', 'start'])
  await until(async () => (await states(home)).includes('mine live'), { what: 'the policy to wake what was here' })
  expect(await states(home)).toEqual(['mine live', 'evil asleep'])
  await run(home, ['wake', '--lost'])
  expect(existsSync(proof)).toBe(false)

  const refused = await run(home, ['wake', 'evil'])
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('cannot wake "evil" yet: it was imported from their-laptop')
  expect(refused.stderr).toContain(`command      ${command}`)
  expect((await run(home, ['wake', 'evil', '--fresh'])).stderr).toContain('is not confirmed')
  expect((await views(home))[1]?.imported).toMatchObject({ from: 'their-laptop', fresh: { command } })
  {
    await using person = openPty(process.execPath, { args: [HOLDFAST, 'wake', 'evil'], env: environment(home) })
    await person.waitFor(/Wake it\? \[y\/N\]/)
    expect(person.text()).toContain(`touch ${proof}`.slice(0, 20))
    person.type('n\r')
    expect((await person.ended).code).not.toBe(0)
  }
  expect(existsSync(proof)).toBe(false)
  {
    await using person = openPty(process.execPath, { args: [HOLDFAST, 'wake', 'evil'], env: environment(home) })
    await person.waitFor(/Wake it\? \[y\/N\]/)
    person.type('y\r')
    expect((await person.ended).code).toBe(0)
  }
  expect((await views(home))[1]).toMatchObject({ state: 'live', imported: null })
  await run(home, ['sleep', 'evil', '--force'])
  expect((await run(home, ['wake', 'evil'])).code).toBe(0)
}, 120_000)

test('--trust wakes an imported terminal without asking; several at once are left asleep, and it is said', async () => {
  await using home = makeQuietHome()
  const { file } = writeHostile(home)
  await json<Applied>(home, ['import', file, '--yes'])
  await json<Applied>(home, ['import', file, '--yes'])
  const both = await run(home, ['wake', 'evil', 'evil-2'])
  expect(both.stderr.match(/is not confirmed/g)).toHaveLength(2)
  expect(await states(home)).toEqual(['evil asleep', 'evil-2 asleep'])
  expect((await run(home, ['wake', 'evil-2', '--trust'])).code).toBe(0)
  expect(await states(home)).toEqual(['evil asleep', 'evil-2 live'])
}, 60_000)

test('a daemon that dies while it imports has imported everything or nothing', async () => {
  await using home = makeQuietHome()
  await run(home, ['new', '--name', 'mine', '--', 'sleep', '300'])
  const picture = encodeSnapshot((await screenWith('their picture')).snapshot())
  const screen = { run: runId(3), seq: 13, hash: blake3(picture) }
  const terminal = asleep({ id: terminalId(7), name: 'theirs', lastRun: runId(3) })
  const file = `${home.path}/desk.holdfast`
  const checkpoint = checkpointOf({ topology: placed(terminal), terminals: [entry(terminal, { screen })] })
  writeFileSync(file, encodeExport({ checkpoint, host: HOST, screens: new Map([[screen.hash, picture]]) }))
  for (const point of ['restore:run-written', 'restore:before-keep']) {
    await run(home, ['daemon', 'stop'])
    const before = topologyOf(home)
    await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: point } })
    expect((await run(home, ['import', file, '--yes'])).code, point).not.toBe(0)
    await run(home, ['daemon', 'start'])
    expect(await states(home), point).toEqual(['mine live'])
    expect(topologyOf(home), point).toEqual(before)
  }
  await json<Applied>(home, ['import', file, '--yes'])
  expect(await states(home)).toEqual(['mine live', 'theirs asleep'])
  expect((await run(home, ['read', 'theirs'])).stdout.trim()).toBe('their picture')
}, 120_000)

test('a state directory that was copied from another machine starts nothing by itself, also if the daemon dies on the way', async () => {
  await using home = makeQuietHome('[restore]\npolicy = "all"\n')
  const proof = `${home.path}/ran`
  const script = `echo ran >> ${proof}; echo their screen; exec sleep 300`
  await run(home, ['new', '--name', 'api', '--env', 'LD_DEBUG_OUTPUT=/x', '--', 'sh', '-c', script])
  await run(home, ['wait', 'api', '--text', 'their screen', '--timeout', '10'])
  await run(home, ['checkpoint', 'create'])
  await powerCut(home)
  expect(readFileSync(proof, 'utf8')).toBe('ran\n')
  const [machine, boot] = ['0123456789abcdef', 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee']
  const elsewhere = JSON.stringify({ machine, boot, name: 'their-laptop' })
  change(home, 'UPDATE sessions SET host_id = ?', elsewhere)
  change(home, "DELETE FROM settings WHERE key = 'machine'") // as an earlier version leaves it
  for (const point of ['copied:repainted', 'copied:kept']) await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: point } })
  await run(home, ['daemon', 'start'])
  const [api] = await views(home)
  expect(api).toMatchObject({ state: 'asleep', because: { kind: 'slept' }, onRestore: 'sleep', imported: { from: 'their-laptop' } })
  expect(String(query(home, 'SELECT record FROM terminals')[0]?.['record'])).not.toContain('LD_DEBUG_OUTPUT')
  expect((await run(home, ['read', 'api'])).stdout.trim()).toBe('their screen')
  expect((await run(home, ['daemon', 'status'])).stdout).toContain('was copied from their-laptop')
  // A checkpoint of there brings nothing back that is more.
  const theirs = String(query(home, "SELECT id FROM checkpoints WHERE kind = 'manual'")[0]?.['id'])
  await json<Applied>(home, ['restore', theirs, '--yes'])
  expect((await views(home))[0]).toMatchObject({ state: 'asleep', imported: { from: 'their-laptop' } })
  expect(String(query(home, 'SELECT record FROM terminals')[0]?.['record'])).not.toContain('LD_DEBUG_OUTPUT')
  expect(programsOf(home)).toEqual([])
  expect(readFileSync(proof, 'utf8')).toBe('ran\n')
  // From now on it is at home here.
  expect((await run(home, ['wake', 'api', '--trust'])).code).toBe(0)
  await run(home, ['daemon', 'restart'])
  expect((await views(home))[0]).toMatchObject({ state: 'live', imported: null })
}, 120_000)

test('an export has no screens unless they are asked for', async () => {
  await using home = makeQuietHome()
  await run(home, ['new', '--name', 'api', '--', 'sh', '-c', 'echo printed-secret; exec sleep 300'])
  await run(home, ['wait', 'api', '--text', 'printed-secret', '--timeout', '10'])
  const written = await run(home, ['export', `${home.path}/plain.holdfast`])
  expect(written.stdout).toContain('1 terminals, no screens')
  const decoded = decodeExport(readFileSync(`${home.path}/plain.holdfast`))
  expect(decoded).toMatchObject({ ok: true, value: { checkpoint: { terminals: [{ screen: null }] } } })
  expect(decoded.ok && decoded.value.screens.size).toBe(0)
  expect((await run(home, ['export', '--help'])).stdout).toContain('all output of programs, even secrets')
}, 60_000)

test('a passphrase comes from the standard input, or from a file that no other user may read', async () => {
  await using home = makeQuietHome()
  await run(home, ['new', '--name', 'api', '--', 'sleep', '300'])
  const file = `${home.path}/desk.holdfast`
  const args = ['export', file, '--seal', '--passphrase-file', '-']
  expect((await run(home, args, { input: '\n' })).stderr).toContain('has an empty first line')
  expect((await run(home, args, { input: '' })).stderr).toContain('has an empty first line')
  expect(readdirSync(home.path)).not.toContain('desk.holdfast')
  expect(await json(home, args, { input: 'from a pipe, öffne dich\nnot this line\n' })).toMatchObject({ sealed: true })
  expect(isSealed(readFileSync(file))).toBe(true)
  const words = `${home.path}/words`
  writeFileSync(words, 'from a pipe, öffne dich\n', { mode: 0o600 })
  const opened = () => run(home, ['import', file, '--plan', '--passphrase-file', words])
  for (const mode of [0o640, 0o604, 0o620]) {
    chmodSync(words, mode)
    const { code, stderr } = await opened()
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Run chmod 600 ${words}`)])
  }
  expect((await run(home, ['export', `${home.path}/other`, '--seal', '--passphrase-file', words])).stderr).toContain('chmod 600')
  chmodSync(words, 0o600)
  expect((await opened()).code).toBe(0)
  expect((await run(home, ['import', file, '--plan', '--passphrase-file', '-'], { input: 'from a pipe, öffne dich' })).code).toBe(0)
})

test('a sealed export opens only with its passphrase, which is never an argument', async () => {
  await using home = makeQuietHome()
  await run(home, ['new', '--name', 'api', '--', 'sleep', '300'])
  const [file, words, wrong] = ['desk.holdfast', 'words', 'wrong'].map((name) => `${home.path}/${name}`) as [string, string, string]
  writeFileSync(words, 'correct horse battery\n', { mode: 0o600 })
  writeFileSync(wrong, 'incorrect horse\n', { mode: 0o600 })
  expect((await run(home, ['export', file, '--seal'])).stderr).toContain('there is no terminal to type it in')
  writeFileSync(`${home.path}/short`, 'short\n', { mode: 0o600 })
  expect((await run(home, ['export', file, '--seal', '--passphrase-file', `${home.path}/short`])).stderr).toContain(
    'fewer than 8 characters',
  )
  expect(readdirSync(home.path)).not.toContain('desk.holdfast')
  expect(await json(home, ['export', file, '--seal', '--passphrase-file', words])).toMatchObject({ sealed: true })
  expect(isSealed(readFileSync(file))).toBe(true)
  const complaint = async (...args: string[]): Promise<string> => (await run(home, ['import', file, '--plan', ...args])).stderr
  expect(await complaint()).toContain('is sealed with a passphrase')
  expect(await complaint('--passphrase-file', wrong)).toContain('The passphrase does not open')
  expect((await json<Applied['plan']>(home, ['import', file, '--plan', '--passphrase-file', words])).steps).toHaveLength(1)
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 40) ^ 1, bytes.length - 40)
  writeFileSync(file, bytes)
  expect(await complaint('--passphrase-file', words)).toContain('it is sealed, and damaged or cut short')
  {
    const args = [HOLDFAST, 'export', `${home.path}/typed.holdfast`, '--seal']
    await using person = openPty(process.execPath, { args, env: environment(home) })
    await person.waitFor(/Passphrase:/)
    person.type('typed by hand\r')
    await person.waitFor(/Repeat the passphrase:/)
    person.type('typed by hand\r')
    await person.waitFor(/sealed\./)
    expect((await person.ended).code).toBe(0)
    expect(person.text()).not.toContain('by hand')
  }
  {
    await using person = openPty(process.execPath, { args: [HOLDFAST, 'import', `${home.path}/typed.holdfast`], env: environment(home) })
    await person.waitFor(/Passphrase:/)
    person.type('typed by head\r')
    await person.waitFor(/does not open[\s\S]*Passphrase:/)
    person.type('typed by hand\r')
    await person.waitFor(/Import this\?/)
    person.type('y\r')
    expect((await person.ended).code).toBe(0)
  }
  expect(await states(home)).toEqual(['api live', 'api-2 asleep'])
  expect(programsOf(home)).toHaveLength(1)
  expect(JSON.stringify(query(home, 'SELECT * FROM audit'))).not.toContain('by hand')
  expect(readFileSync(`${home.path}/logs/daemon.log`, 'utf8')).not.toContain('horse')
}, 120_000)
