import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { list, programsOf } from '../support/daemon.ts'
import { json, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { type Applied, query, restore, topologyOf } from '../support/restoring.ts'

function makeQuietHome(): Home {
  const home = makeHome()
  writeFileSync(`${home.path}/config.toml`, '[web]\nport = 0\n')
  return home
}

const names = async (home: Home): Promise<string[]> => (await list(home)).map(({ name, state }) => `${name} ${state}`)

test('a workspace goes to another home with its screens, beside what is there, without secrets, and can be taken back', async () => {
  await using there = makeQuietHome()
  await using here = makeQuietHome()
  await run(there, ['new', '--name', 'api', '--env', 'API_TOKEN=sesame-opens-4711', '--', 'sh', '-c', 'echo served; exec sleep 300'])
  await run(there, ['new', '--name', 'shared', '--cwd', '/tmp', '--', 'sh', '-c', 'echo theirs; exec sleep 300'])
  await run(there, ['wait', 'shared', '--text', 'theirs', '--timeout', '10'])
  const file = `${there.path}/desk.holdfast`
  expect(await json(there, ['export', file, '--with-screens'])).toMatchObject({ terminals: 2, screens: 2, sealed: false })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(there.path).some((name) => name.endsWith('.part'))).toBe(false)
  expect((await run(there, ['export', file])).stderr).toContain('already exists')
  expect((await run(there, ['export', file, '--force', '--with-screens'])).code).toBe(0)
  const ids = (await list(there)).map(({ id }) => id)

  await run(here, ['new', '--name', 'shared', '--', 'sh', '-c', 'echo ours; exec sleep 300'])
  const before = topologyOf(here) as { groups: unknown[]; dock: string[] }
  const planned = await json<Applied['plan']>(here, ['import', file, '--plan'])
  expect(planned.steps.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['bringBack api', 'bringBack shared-2'])
  expect(topologyOf(here)).toEqual(before)
  const { undo } = await json<Applied>(here, ['import', file, '--yes'])
  expect(await names(here)).toEqual(['shared live', 'api asleep', 'shared-2 asleep'])
  expect((await list(here)).slice(1).map(({ id }) => id)).toEqual(ids)
  expect((await run(here, ['read', 'api'])).stdout).toContain('served')
  expect((await run(here, ['read', 'shared-2'])).stdout).toContain('theirs')
  expect((topologyOf(here) as typeof before).groups.slice(0, 1)).toEqual(before.groups)
  expect(programsOf(here)).toHaveLength(1)
  expect(JSON.stringify(query(here, 'SELECT record FROM terminals'))).not.toContain('sesame')
  expect(JSON.stringify(query(here, 'SELECT record FROM terminals'))).not.toContain('API_TOKEN')
  expect(query(here, "SELECT note FROM checkpoints WHERE note LIKE 'imported from %'")).toHaveLength(1)

  // The same once more: everything gets ids of its own.
  await json<Applied>(here, ['import', file, '--yes'])
  expect(await names(here)).toEqual(['shared live', 'api asleep', 'shared-2 asleep', 'api-2 asleep', 'shared-3 asleep'])
  expect(new Set((await list(here)).map(({ id }) => id)).size).toBe(5)
  expect((await run(here, ['read', 'api-2'])).stdout).toContain('served')
  await restore(here, undo)
  expect(await names(here)).toEqual(['shared live'])
}, 180_000)

test('a directory that does not exist here is named before anything happens', async () => {
  await using there = makeQuietHome()
  await using here = makeQuietHome()
  const away = `${there.path}/runs`
  await run(there, ['new', '--name', 'api', '--cwd', away, '--', 'sh'])
  const file = `${here.path}/desk.holdfast`
  await run(there, ['export', file, '--only', 'main'])
  await run(there, ['daemon', 'stop', '--all'])
  rmSync(away, { recursive: true })
  const planned = await json<Applied['plan']>(here, ['import', file, '--plan'])
  expect(planned.missingPaths).toEqual([{ path: away, terminals: [planned.steps[0]?.terminal] }])
  expect(await list(here)).toEqual([])
})

test('what is no export, damaged, or no file at all is refused, and nothing changes', async () => {
  await using home = makeQuietHome()
  await run(home, ['new', '--name', 'one', '--', 'sh'])
  const file = `${home.path}/desk.holdfast`
  await run(home, ['export', file])
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(90) ^ 1, 90)
  writeFileSync(`${home.path}/damaged`, bytes)
  writeFileSync(`${home.path}/foreign`, 'something else')
  const complaint = async (name: string): Promise<string> => (await run(home, ['import', `${home.path}/${name}`, '--yes'])).stderr
  expect(await complaint('damaged')).toContain('its checksum is wrong')
  expect(await complaint('foreign')).toContain('it is not an export of Holdfast')
  expect(await complaint('nowhere')).toContain('cannot import')
  expect(await complaint('runs')).toContain('it is not a regular file')
  expect((await run(home, ['export', `${home.path}/no/such/place`])).stderr).toContain('cannot write')
  expect(await names(home)).toEqual(['one live'])
  await run(home, ['daemon', 'stop'])
  await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: 'export:written' } })
  await run(home, ['export', `${home.path}/half.holdfast`])
  expect(readdirSync(home.path)).not.toContain('half.holdfast')
  await run(home, ['daemon', 'start'])
  expect(await names(home)).toEqual(['one live'])
}, 120_000)
