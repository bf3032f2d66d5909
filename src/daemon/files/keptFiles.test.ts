import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { FILE_LIMITS, type FileLimits, KeptFiles, type Upload } from './keptFiles.ts'

let root: string
let directory: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hf-files-'))
  directory = join(root, 'files')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const keptWith = (limits: Partial<FileLimits> = {}) => new KeptFiles({ directory, limits: { ...FILE_LIMITS, ...limits } })

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('half'))
  throw new Error('aborted')
}

const upload = (changes: Partial<Upload> = {}): Upload => ({
  terminal: 't1',
  name: 'a.txt',
  bytes: null,
  body: pieces('hello ', 'world'),
  ...changes,
})

async function keep(files: KeptFiles, changes: Partial<Upload> = {}): Promise<string> {
  const kept = await files.receive(upload(changes))
  if (!kept.ok) throw new Error(kept.refusal.message)
  return kept.value.path
}

/** Everything below the directory, whatever it is called. */
const everything = (): string[] =>
  existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/')) : []

describe('a file', () => {
  test('is kept under its name, for its owner alone, and never under the same path as another', async () => {
    const files = keptWith()
    const path = await keep(files, { name: '../../evil name.txt', bytes: 11 })
    expect(basename(path)).toMatch(/^[0-9a-z]{8}-evil-name\.txt$/)
    expect(path.startsWith(`${directory}/t1/`)).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe('hello world')
    expect([statSync(path).mode & 0o777, statSync(join(directory, 't1')).mode & 0o777]).toEqual([0o600, 0o700])
    expect(await keep(files, { name: '../../evil name.txt' })).not.toBe(path)
  })

  test('that may be empty is', async () => {
    expect(statSync(await keep(keptWith(), { body: pieces(), bytes: 0 })).size).toBe(0)
  })

  test('that breaks off, or stops coming, or is shorter than announced leaves nothing behind', async () => {
    const files = keptWith({ idleMs: 20 })
    async function* silent(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('half'))
      await new Promise(() => undefined)
    }
    for (const body of [broken(), silent()]) expect(await files.receive(upload({ body }))).toMatchObject({ refusal: { code: 'file-torn' } })
    expect(await files.receive(upload({ bytes: 12 }))).toMatchObject({ refusal: { code: 'file-torn' } })
    expect(everything()).toEqual([])
  })

  test('that is too large is refused, announced or not, and leaves nothing behind', async () => {
    const files = keptWith({ fileBytes: 8 })
    expect(await files.receive(upload({ bytes: 9, body: broken() }))).toMatchObject({ refusal: { code: 'file-too-large' } })
    let read = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        read += 1
        yield await Promise.resolve(Buffer.from('xxxx'))
      }
    }
    expect(await files.receive(upload({ body: endless() }))).toMatchObject({ refusal: { code: 'file-too-large' } })
    expect(read).toBeLessThan(5)
    expect(everything()).toEqual([])
  })

  test('is written as it comes, and waits for the disk', async () => {
    let [read, written] = [0, 0]
    const openFile = async (path: string) => {
      const file = await open(path, 'wx')
      return Object.assign(file, {
        write: async (bytes: Uint8Array) => {
          await new Promise((resolve) => setImmediate(resolve))
          written += bytes.length
          expect(read - written).toBeLessThanOrEqual(1 << 16)
          return { bytesWritten: bytes.length, buffer: bytes }
        },
      }) as unknown as Awaited<ReturnType<typeof open>>
    }
    async function* large(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 100; count += 1) {
        read += 1 << 16
        yield await Promise.resolve(new Uint8Array(1 << 16))
      }
    }
    expect(await new KeptFiles({ directory, openFile }).receive(upload({ body: large() }))).toMatchObject({ ok: true })
    expect(written).toBe(100 << 16)
  })

  test('that finds a full disk is refused with that sentence, and leaves nothing behind', async () => {
    const openFile = async (path: string) => {
      const file = await open(path, 'wx')
      const full = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))
      return Object.assign(file, { write: full }) as unknown as Awaited<ReturnType<typeof open>>
    }
    expect(await new KeptFiles({ directory, openFile }).receive(upload())).toMatchObject({
      refusal: { code: 'file-not-written', message: 'cannot write the file: the disk is full.' },
    })
    expect(everything()).toEqual([])
  })

  test('waits for its turn where too many come at once', async () => {
    const files = keptWith({ atOnce: 1 })
    let release: () => void = () => undefined
    async function* slow(): AsyncGenerator<Uint8Array> {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      yield Buffer.from('x')
    }
    const first = files.receive(upload({ body: slow() }))
    await until(() => everything().length > 0, { what: 'the first one' })
    expect(await files.receive(upload())).toMatchObject({ refusal: { code: 'files-busy' } })
    release()
    expect(await first).toMatchObject({ ok: true })
    expect(await files.receive(upload())).toMatchObject({ ok: true })
  })
})

describe('all files together', () => {
  const age = (path: string, seconds: number): void => utimesSync(path, 1_000 + seconds, 1_000 + seconds)

  test('stay within bounds: the oldest go first, of whatever terminal, and never the newest', async () => {
    const files = keptWith({ totalBytes: 25 })
    const [one, two] = [await keep(files), await keep(files, { terminal: 't2' })]
    age(one, 2)
    age(two, 1)
    const three = await keep(files)
    expect([one, two, three].map((path) => existsSync(path))).toEqual([true, false, true])
    const large = await keep(files, { body: pieces('x'.repeat(40)) })
    expect([one, three, large].map((path) => existsSync(path))).toEqual([false, false, true])
  })

  test('are no more than so many', async () => {
    const files = keptWith({ files: 2 })
    const paths: string[] = []
    for (let count = 0; count < 4; count += 1) {
      const path = await keep(files)
      age(path, count)
      paths.push(path)
    }
    expect(paths.map((path) => existsSync(path))).toEqual([false, false, true, true])
  })

  test('of a terminal go with it', async () => {
    const files = keptWith()
    const [mine, other] = [await keep(files), await keep(files, { terminal: 't2' })]
    files.forget('t1')
    files.forget('t3')
    expect([existsSync(mine), existsSync(other)]).toEqual([false, true])
  })

  test('that a crash left are removed: those of no terminal, and those that are not whole', async () => {
    const files = keptWith()
    const [mine, other] = [await keep(files), await keep(files, { terminal: 't2' })]
    writeFileSync(`${mine}.part`, 'half')
    mkdirSync(join(directory, 't9'), { recursive: true })
    await files.removeLeftovers((terminal) => terminal === 't1')
    expect(everything()).toEqual([`t1/${basename(mine)}`])
    expect(existsSync(other)).toBe(false)
    expect(readdirSync(directory)).toEqual(['t1'])
  })
})
