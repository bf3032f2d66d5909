import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { judge, measure } from './ratchets.mjs'

const run = promisify(execFile)
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ratchets-'))
  await mkdir(join(root, 'scripts'))
})
afterEach(() => rm(root, { recursive: true }))

async function put(files) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
}

async function move(from, to) {
  await mkdir(dirname(join(root, to)), { recursive: true })
  await rename(join(root, from), join(root, to))
}

const NOTHING = { cycles: [], arrows: [], lines: {}, files: {} }
const GOOD = { grown: [], moved: [], shrunk: [] }
const imports = (...targets) => targets.map((target) => `import type { X } from '${target}'\n`).join('')
const found = () => measure(root).found
const judged = (listed) => judge({ ...NOTHING, ...listed }, measure(root))

describe('an import cycle between files', () => {
  const PAIR = { 'src/base/a.ts': imports('./b.ts'), 'src/base/b.ts': imports('./a.ts') }

  test('is found, type imports counted, and shown with the way round', async () => {
    await put(PAIR)
    expect(judged({}).grown).toEqual([
      'src/base/a.ts  is in an import cycle: src/base/a.ts → src/base/b.ts → src/base/a.ts',
      'src/base/b.ts  is in an import cycle: src/base/b.ts → src/base/a.ts → src/base/b.ts',
    ])
  })

  test('that is listed passes, in one piece or in several smaller ones', async () => {
    await put({ ...PAIR, 'src/base/c.ts': imports('./d.ts'), 'src/base/d.ts': imports('./c.ts') })
    expect(judged({ cycles: [['src/base/a.ts', 'src/base/b.ts', 'src/base/c.ts', 'src/base/d.ts']] })).toEqual(GOOD)
  })

  test('may not take in another file', async () => {
    await put({ ...PAIR, 'src/base/b.ts': imports('./a.ts', './new.ts'), 'src/base/new.ts': imports('./a.ts') })
    const { grown } = judged({ cycles: [['src/base/a.ts', 'src/base/b.ts']] })
    expect(grown).toEqual(['src/base/new.ts  is in an import cycle: src/base/new.ts → src/base/a.ts → src/base/b.ts → src/base/new.ts'])
  })

  test('may not be joined with another one, although every file is listed', async () => {
    await put({ ...PAIR, 'src/base/c.ts': imports('./d.ts', './a.ts'), 'src/base/d.ts': imports('./c.ts') })
    const listed = {
      cycles: [
        ['src/base/a.ts', 'src/base/b.ts'],
        ['src/base/c.ts', 'src/base/d.ts'],
      ],
    }
    expect(judged(listed)).toEqual(GOOD)
    await put({ 'src/base/b.ts': imports('./a.ts', './c.ts') })
    expect(judged(listed).grown.map((line) => line.split('  ')[0])).toEqual(['src/base/c.ts', 'src/base/d.ts'])
  })

  test('that is no longer there must leave the list', async () => {
    await put({ 'src/base/a.ts': imports('./b.ts'), 'src/base/b.ts': '' })
    expect(judged({ cycles: [['src/base/a.ts', 'src/base/b.ts']] })).toEqual({
      ...GOOD,
      shrunk: ['src/base/a.ts  is listed, and is in no import cycle', 'src/base/b.ts  is listed, and is in no import cycle'],
    })
  })

  test('of tests does not count', async () => {
    await put({ 'src/base/a.test.ts': imports('./b.test.ts'), 'src/base/b.test.ts': imports('./a.test.ts') })
    expect(found()).toEqual(NOTHING)
  })

  test('keeps its place on the list when a file of it moves', async () => {
    await put(PAIR)
    await move('src/base/b.ts', 'src/base/moved.ts')
    await put({ 'src/base/a.ts': imports('./moved.ts') })
    const { grown, moved } = judged({ cycles: [['src/base/a.ts', 'src/base/b.ts']] })
    expect(grown).toEqual([])
    expect(moved).toHaveLength(1)
    expect(moved[0]).toContain('src/base/moved.ts')
  })
})

describe('a cycle of folders', () => {
  const FOLDERS = {
    'src/daemon/main.ts': imports('./sleep/tree.ts'),
    'src/daemon/sleep/tree.ts': imports('../log.ts'),
    'src/daemon/log.ts': '',
  }

  test('is found where no file is in a cycle, and shown with an import of each arrow', async () => {
    await put(FOLDERS)
    expect(found().cycles).toEqual([])
    expect(judged({}).grown).toEqual([
      'src/daemon → src/daemon/sleep  closes a cycle of folders: src/daemon/main.ts imports src/daemon/sleep/tree.ts',
      'src/daemon/sleep → src/daemon  closes a cycle of folders: src/daemon/sleep/tree.ts imports src/daemon/log.ts',
    ])
  })

  test('may not get another arrow, although each of its folders is listed', async () => {
    const listed = { arrows: both(['src/daemon', 'src/daemon/sleep'], ['src/daemon', 'src/daemon/agents']) }
    await put({ ...FOLDERS, 'src/daemon/agents/a.ts': imports('../log.ts'), 'src/daemon/other.ts': imports('./agents/a.ts') })
    expect(judged(listed)).toEqual(GOOD)
    await put({ 'src/daemon/agents/b.ts': imports('../sleep/tree.ts') })
    const { grown } = judged(listed)
    expect(grown).toHaveLength(1)
    expect(grown[0]).toContain('src/daemon/agents → src/daemon/sleep  closes a cycle of folders')
  })

  test('keeps its place when a folder gets another name', async () => {
    await put(FOLDERS)
    await move('src/daemon/sleep/tree.ts', 'src/daemon/rest/tree.ts')
    await put({ 'src/daemon/main.ts': imports('./rest/tree.ts') })
    const { grown, moved, shrunk } = judged({ arrows: both(['src/daemon', 'src/daemon/sleep']) })
    expect([grown.length, moved.length, shrunk.length]).toEqual([0, 2, 2])
  })

  test('may get the arrows of a folder that was split, and those alone', async () => {
    const listed = { ...NOTHING, arrows: both(['src/daemon', 'src/daemon/sleep']) }
    const body = (name) => Array.from({ length: 9 }, (_, line) => `// line ${line} of ${name}\n`).join('')
    const module = (name, ...targets) => imports(...targets) + body(name)
    await put({
      'scripts/ratchets.json': JSON.stringify(listed),
      'src/daemon/main.ts': module('main', './sleep/tree.ts', './log.ts'),
      'src/daemon/sleep/tree.ts': module('tree', '../log.ts', '../far.ts'),
      'src/daemon/log.ts': module('log'),
      'src/daemon/far.ts': module('far', './log.ts'),
    })
    const git = (...args) => run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root })
    await git('init', '-q')
    await git('add', '.')
    await git('commit', '-qm', 'one')
    expect(judged(listed)).toEqual(GOOD)

    await mkdir(join(root, 'src/daemon/life'))
    await git('mv', 'src/daemon/log.ts', 'src/daemon/life/log.ts')
    await git('mv', 'src/daemon/main.ts', 'src/daemon/life/main.ts')
    await put({
      'src/daemon/life/main.ts': module('main', '../sleep/tree.ts', './log.ts'),
      'src/daemon/sleep/tree.ts': module('tree', '../life/log.ts', '../far.ts'),
      'src/daemon/far.ts': module('far', './life/log.ts'),
    })
    const arrowsOf = (lines) => lines.map((line) => line.split('  ')[0])
    const after = judged(listed)
    expect(after.grown).toEqual([])
    expect(arrowsOf(after.moved)).toEqual([
      'src/daemon → src/daemon/life',
      'src/daemon/life → src/daemon/sleep',
      'src/daemon/sleep → src/daemon/life',
    ])

    await put({ 'src/daemon/life/main.ts': module('main', '../sleep/tree.ts', './log.ts', '../far.ts') })
    await git('add', '.')
    await git('commit', '-qm', 'two')
    expect(arrowsOf(judged(listed).grown)).toEqual(['src/daemon/life → src/daemon'])
  })

  const both = (...pairs) => pairs.flatMap(([a, b]) => [`${a} → ${b}`, `${b} → ${a}`])
})

describe('a size', () => {
  test('over the limit is refused: lines of a file, files of a folder, without tests', async () => {
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`src/web/f${at}.${at % 2 ? 'ts' : 'css'}`, '']))
    await put({
      ...many,
      'src/base/long.ts': '\n'.repeat(401),
      'src/base/fits.ts': '\n'.repeat(400),
      'src/base/x.test.ts': '\n'.repeat(900),
    })
    expect(judged({}).grown).toEqual([
      'src/base/long.ts  has 401 lines; the limit allows 400',
      'src/web  has 31 files; the limit allows 30',
    ])
  })

  test('that is listed may not grow, and must be lowered on the list when it shrinks', async () => {
    await put({ 'src/base/long.ts': '\n'.repeat(500) })
    expect(judged({ lines: { 'src/base/long.ts': 500 } })).toEqual(GOOD)
    expect(judged({ lines: { 'src/base/long.ts': 499 } }).grown).toEqual(['src/base/long.ts  has 500 lines; the list allows 499'])
    expect(judged({ lines: { 'src/base/long.ts': 501 } }).shrunk).toEqual(['src/base/long.ts  is listed with 501 lines, and has 500'])
    await put({ 'src/base/long.ts': '' })
    expect(judged({ lines: { 'src/base/long.ts': 501 } }).shrunk).toEqual([
      'src/base/long.ts  is listed with 501 lines, and has no more than 400',
    ])
  })

  test('moves with its file, and does not grow on the way', async () => {
    await put({ 'src/base/moved.ts': '\n'.repeat(500) })
    expect(judged({ lines: { 'src/base/long.ts': 500 } })).toMatchObject({ grown: [], moved: [expect.stringContaining('moved.ts')] })
    expect(judged({ lines: { 'src/base/long.ts': 499 } })).toMatchObject({ grown: [expect.stringContaining('moved.ts')], moved: [] })
  })

  test('gives its place to one other file only', async () => {
    await put({ 'src/base/moved.ts': '\n'.repeat(500), 'src/base/new.ts': '\n'.repeat(450) })
    const { grown, moved } = judged({ lines: { 'src/base/long.ts': 500 } })
    expect([grown.length, moved.length]).toEqual([1, 1])
  })
})

describe('the command', () => {
  const ratchets = (...args) =>
    run(process.execPath, [fileURLToPath(new URL('ratchets.mjs', import.meta.url)), root, ...args]).then(
      () => ({ code: 0 }),
      ({ code, stderr }) => ({ code, text: stderr }),
    )
  const list = async () => JSON.parse(await readFile(join(root, 'scripts/ratchets.json'), 'utf8'))

  test('writes a list that shrinks and never grows', async () => {
    await put({ 'src/base/long.ts': '\n'.repeat(500), 'src/base/other.ts': '\n'.repeat(600) })
    expect(await ratchets()).toMatchObject({ code: 1, text: expect.stringContaining('scripts/ratchets.json  does not exist') })
    expect((await ratchets('--write')).code).toBe(0)
    expect(await list()).toEqual({ ...NOTHING, lines: { 'src/base/long.ts': 500, 'src/base/other.ts': 600 } })
    expect((await ratchets()).code).toBe(0)

    await put({ 'src/base/long.ts': '\n'.repeat(450), 'src/base/other.ts': '\n'.repeat(601) })
    const before = await list()
    expect(await ratchets('--write')).toMatchObject({ code: 1, text: expect.stringContaining('src/base/other.ts  has 601 lines') })
    expect(await list()).toEqual(before)

    await put({ 'src/base/other.ts': '' })
    expect(await ratchets()).toMatchObject({ code: 1, text: expect.stringContaining('(run: npm run ratchets)') })
    expect((await ratchets('--write')).code).toBe(0)
    expect(await list()).toEqual({ ...NOTHING, lines: { 'src/base/long.ts': 450 } })
    expect((await ratchets()).code).toBe(0)
  })
})
