import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { PowerCut } from './powerCut.ts'
import { type Random, randomFrom } from './random.ts'

/** The power fails without luck: only what was synced is there. */
const noLuck: Random = { ...randomFrom(1), pick: (items) => items[0] }
/** Nearly everything that was written is there. */
const luck: Random = { ...randomFrom(1), pick: (items) => items.at(-1), chance: (share) => share > 0.5, below: (count) => count - 1 }

/** What is left of a directory after a program has worked in it and the power has gone. */
function survivors(context: TestContext, program: string, random: Random): Record<string, string> {
  const obstacle = PowerCut.obstacle()
  if (obstacle !== null) context.skip(obstacle)
  const folder = mkdtempSync(join(tmpdir(), 'cut-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'old'), 'old contents')
  mkdirSync(join(folder, 'inner'))
  using cut = new PowerCut(folder)
  const [command = '', ...args] = [
    ...cut.tracer,
    process.execPath,
    '-e',
    `const fs = require('node:fs'); process.chdir('/'); const at = (name) => ${JSON.stringify(folder)} + '/' + name; ${program}`,
  ]
  expect(spawnSync(command, args, { encoding: 'utf8' })).toMatchObject({ status: 0 })
  cut.restore(random)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const named = files.map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(named.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

const SYNC = `const sync = (path) => { const handle = fs.openSync(path, 'r'); fs.fsyncSync(handle); fs.closeSync(handle) };`

test('what was written and not synced is gone, name and contents', (context) => {
  expect(survivors(context, `fs.writeFileSync(at('new'), 'x'); fs.writeFileSync(at('old'), 'changed')`, noLuck)).toEqual({
    old: 'old contents',
  })
})

test('a synced file without a synced name is gone, a synced name without synced contents is empty', (context) => {
  const program = `${SYNC} fs.writeFileSync(at('inner/a'), 'a'); sync(at('inner/a')); fs.writeFileSync(at('b'), 'b'); sync(at(''))`
  expect(survivors(context, program, noLuck)).toEqual({ old: 'old contents', b: '' })
})

test('a file that is written, synced, renamed and whose directory is synced is whole; what comes after the sync is not', (context) => {
  const program = `${SYNC} fs.writeFileSync(at('draft'), 'good'); sync(at('draft')); fs.renameSync(at('draft'), at('old')); sync(at('')); fs.appendFileSync(at('old'), ' tail'); fs.rmSync(at('inner'), { recursive: true })`
  expect(survivors(context, program, noLuck)).toEqual({ old: 'good' })
})

test('with luck, what was never synced is there all the same', (context) => {
  expect(survivors(context, `fs.writeFileSync(at('new'), 'x'); fs.writeFileSync(at('old'), 'changed')`, luck)).toEqual({
    new: 'x',
    old: 'changed',
  })
})

test('writes of several threads are told apart', (context) => {
  const program = `${SYNC} Promise.all([...Array(20).keys()].map((n) => fs.promises.writeFile(at('f' + n), String(n).repeat(5000)))).then(() => { for (let n = 0; n < 20; n += 2) sync(at('f' + n)); sync(at('')) })`
  const left = survivors(context, program, noLuck)
  for (let n = 0; n < 20; n += 1) expect(left[`f${n}`], `file ${n}`).toBe(n % 2 === 0 ? String(n).repeat(5000) : '')
})
