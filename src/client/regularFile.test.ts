import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hugeFile, ODD_FILES, putOdd } from '../../test/support/oddFiles.ts'
import { makeFolder } from '../../test/support/store.ts'
import { listSome, readBeginning, readRegularSync } from './regularFile.ts'
import { readIfThere } from './wholeFile.ts'

describe('what is no regular file is neither waited for nor read', () => {
  test.for(Object.keys(ODD_FILES))('%s', async (kind, { expect: expects }) => {
    const path = join(makeFolder(), 'file')
    await putOdd(kind, path)
    expects(await readBeginning(path, { mostBytes: 100 })).toBeNull()
    expects(() => readRegularSync(path, { mostBytes: 100 })).toThrow()
    expects(() => readIfThere(path)).toThrow()
  })
})

test('a file is read through a link, its beginning however long it is, and the whole only if that is short', () => {
  const folder = makeFolder()
  writeFileSync(`${folder}/file`, 'äbc')
  symlinkSync('file', `${folder}/link`)
  hugeFile(`${folder}/huge`)
  expect(readRegularSync(`${folder}/link`, { mostBytes: 4 })).toBe('äbc')
  expect(() => readRegularSync(`${folder}/link`, { mostBytes: 3 })).toThrow('more than 3 bytes')
  expect(() => readIfThere(`${folder}/huge`)).toThrow('more than')
  expect(readIfThere(`${folder}/gone`)).toBeNull()
  return expect(readBeginning(`${folder}/huge`, { mostBytes: 8 })).resolves.toBe('\0'.repeat(8))
})

test('of a directory only so many entries are listed', async () => {
  const folder = makeFolder()
  for (const name of ['a', 'b', 'c']) mkdirSync(join(folder, name))
  const { entries, isWhole } = await listSome(folder, 2)
  expect([entries.length, isWhole]).toEqual([2, false])
  expect((await listSome(folder, 3)).isWhole).toBe(true)
  expect(await listSome(`${folder}/gone`, 3)).toEqual({ entries: [], isWhole: true })
})
