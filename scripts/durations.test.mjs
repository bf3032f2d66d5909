import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf, keepMeasured, readDurations, renewed } from './durations.mjs'
import { ROOT } from './steps.mjs'

const run = promisify(execFile)
const LIST = 'test/durations.json'

let root = ''
beforeEach(() => {
  mkdirSync(join(ROOT, 'build'), { recursive: true })
  root = mkdtempSync(join(ROOT, 'build', 'durations-')) // where Vitest is found
})
afterEach(() => rmSync(root, { recursive: true }))

function put(files) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

const measured = () => JSON.parse(readFileSync(join(root, 'build/durations.json'), 'utf8'))

describe('the list of durations', () => {
  test('may only name files that exist', () => {
    put({ [LIST]: { 'src/a.test.ts': 1, 'src/gone.test.ts': 2 }, 'src/a.test.ts': '' })
    expect(faultsOf(root)).toEqual([`src/gone.test.ts  is in ${LIST} and does not exist`])
  })

  test('must be there and be JSON', () => {
    expect(faultsOf(root)).toEqual([`${LIST}  is missing or is not JSON`])
    put({ [LIST]: '{ "src/a.test' })
    expect(faultsOf(root)).toHaveLength(1)
    expect(readDurations(root)).toEqual({})
  })

  test('is renewed from several runs, without what is gone and without small differences', () => {
    const files = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.test.ts`, '']))
    put({ ...files, [LIST]: { 'b.test.ts': 8, 'c.test.ts': 8, 'd.test.ts': 8, 'gone.test.ts': 3 } })
    keepMeasured(root, { 'b.test.ts': 9.9, 'c.test.ts': 30, 'd.test.ts': 20, 'deleted.test.ts': 5 })
    keepMeasured(root, { 'a.test.ts': 0.1234, 'c.test.ts': 10.5678 })
    expect(Object.entries(renewed(root))).toEqual([
      ['a.test.ts', 0.1],
      ['b.test.ts', 8],
      ['c.test.ts', 10.6],
      ['d.test.ts', 20],
    ])
  })

  test('is checked and written by the command', async () => {
    put({ [LIST]: { 'gone.test.ts': 3 }, 'a.test.ts': '' })
    keepMeasured(root, { 'a.test.ts': 2 })
    const command = [join(ROOT, 'scripts/durations.mjs'), root]
    await expect(run(process.execPath, command)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('gone.test.ts') })
    await run(process.execPath, [...command, '--write'])
    expect(readDurations(root)).toEqual({ 'a.test.ts': 2 })
    await run(process.execPath, command)
  })
})

describe('a test run', () => {
  /** Each file says when it is run; `slow` takes a while. */
  const file = (name) => `
    import { appendFileSync } from 'node:fs'
    import { expect, test } from 'vitest'
    test('runs', async () => {
      appendFileSync(${JSON.stringify(join(root, 'order'))}, '${name} ')
      ${name === 'slow' ? 'await new Promise((done) => setTimeout(done, 300))' : ''}
      expect('${name}').not.toBe('fails')
    })
    test.skip('is skipped', () => {})`
  const config = `
    import { DurationsReporter, LongestFirst } from '../../scripts/testOrder.mjs'
    const project = (name, groupOrder) =>
      ({ extends: true, test: { name, include: [name + '/*.test.mjs'], maxWorkers: 1, isolate: false, sequence: { groupOrder } } })
    export default { test: {
      sequence: { sequencer: LongestFirst },
      reporters: [new DurationsReporter()],
      projects: [project('first', 1), project('second', 2)],
    } }`
  const vitest = (...args) => run(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root, ...args])
  const order = () => readFileSync(join(root, 'order'), 'utf8').trim().split(' ')
  const putTests = (paths) =>
    put({
      'vitest.config.mjs': config,
      ...Object.fromEntries(paths.map((path) => [`${path}.test.mjs`, file(path.split('/')[1])])),
    })

  test('starts the longest file of each project first, and those never measured before them', async () => {
    putTests(['first/a', 'first/b', 'first/c', 'first/unknown', 'second/d', 'second/e'])
    const seconds = { 'first/a': 1, 'first/b': 20, 'first/c': 3, 'second/d': 100, 'second/e': 101 }
    put({ [LIST]: Object.fromEntries(Object.entries(seconds).map(([name, value]) => [`${name}.test.mjs`, value])) })
    await vitest()
    expect(order()).toEqual(['unknown', 'b', 'c', 'a', 'e', 'd'])
  })

  test('measures the files that passed', async () => {
    putTests(['first/slow', 'first/quick', 'second/fails'])
    await expect(vitest()).rejects.toMatchObject({ code: 1 })
    expect(Object.keys(measured()).sort()).toEqual(['first/quick.test.mjs', 'first/slow.test.mjs'])
    expect(measured()['first/slow.test.mjs']).toBeGreaterThanOrEqual(0.299)
    expect(measured()['first/slow.test.mjs']).toBeLessThan(20)
  })

  test('of chosen tests measures nothing', async () => {
    putTests(['first/slow'])
    await vitest('-t', 'runs')
    expect(measured()).toEqual({})
  })
})
