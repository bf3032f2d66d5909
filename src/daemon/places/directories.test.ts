import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ODD_FILES, putOdd } from '../../../test/support/oddFiles.ts'
import { completeDirectory, expandHome, recentDirectories } from './directories.ts'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'hf-dirs-')))
  for (const name of ['api', 'app/.git', 'App2', '.config', '.cache', 'src/one', 'src/two'])
    mkdirSync(join(home, name), { recursive: true })
  writeFileSync(join(home, 'apple.txt'), '')
  symlinkSync(join(home, 'src'), join(home, 'linked'))
  symlinkSync(join(home, 'gone'), join(home, 'dangling'))
  symlinkSync(join(home, 'apple.txt'), join(home, 'linked-file'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function completions(typed: string, limit = 50): Promise<string[]> {
  const { directories, more } = await completeDirectory(typed, { home, limit })
  return [...directories.map(({ path }) => path.replace(home, '~')), ...(more ? ['…'] : [])]
}

describe('what is typed', () => {
  test('is completed to directories that begin so, those in the same letters first', async () => {
    expect(await completions('~/ap')).toEqual(['~/api', '~/app', '~/App2'])
    expect(await completions('~/App')).toEqual(['~/App2', '~/app'])
    expect(await completions(`${home}/src/o`)).toEqual(['~/src/one'])
    expect(await completions('src/')).toEqual(['~/src/one', '~/src/two'])
  })

  test('has hidden ones only behind a dot', async () => {
    expect(await completions('~')).toEqual(['~/App2', '~/api', '~/app', '~/linked', '~/src'])
    expect(await completions('')).toEqual(await completions('~/'))
    expect(await completions('~/.c')).toEqual(['~/.cache', '~/.config'])
  })

  test('leads through links, and never to files', async () => {
    expect(await completions('~/linked')).toEqual(['~/linked'])
    expect(await completions('~/linked/')).toEqual(['~/linked/one', '~/linked/two'])
    expect(await completions('~/d')).toEqual([])
  })

  test('has nothing where nothing can be read, and says when there is more', async () => {
    for (const typed of ['/no/such/place', '~/apple.txt/', '\0', '~/gone/x']) expect(await completions(typed), typed).toEqual([])
    expect(await completions('~/', 2)).toEqual(['~/App2', '~/api', '…'])
    expect(await completions('~/', 5)).not.toContain('…')
  })

  test('passes over whatever else is there', async () => {
    for (const kind of Object.keys(ODD_FILES).filter((odd) => odd !== 'a directory')) {
      await putOdd(kind, join(home, 'odd', kind))
      await putOdd(kind, join(home, 'odd', `repository of ${kind}`, '.git'))
    }
    const all = await completions('~/odd/')
    expect(all.sort()).toEqual(
      Object.keys(ODD_FILES)
        .filter((odd) => odd !== 'a directory')
        .map((kind) => `~/odd/repository of ${kind}`)
        .sort(),
    )
  })

  test('is answered in a directory with more entries than anybody could read', async () => {
    expect(await completeDirectory('~/', { home, limit: 50, mostEntries: 3 })).toMatchObject({ more: true })
    expect(await completeDirectory('~/', { home, limit: 50, mostEntries: 50 })).toMatchObject({ more: false })
  })

  test('tells repositories', async () => {
    const { directories } = await completeDirectory('~/ap', { home, limit: 9 })
    expect(directories.map(({ isRepository }) => isRepository)).toEqual([false, true, false])
  })
})

test('~ is the home directory, and what does not begin at the root begins there', () => {
  expect(['~', '~/', '~/a', 'a/', '/a/../b', '~x'].map((path) => expandHome(path, '/h'))).toEqual([
    ...['/h/', '/h/', '/h/a', '/h/a/', '/b', '/h/~x'],
  ])
})

test('recent directories come once, newest first, as far as they exist', async () => {
  const at = (path: string, when: number) => ({ path: join(home, path), at: when })
  const used = [at('api', 1), at('app', 2), at('api', 3), at('gone', 4), at('apple.txt', 5)]
  expect(await recentDirectories(used, 9)).toEqual([at('api', 3), at('app', 2)])
  expect(await recentDirectories(used, 1)).toEqual([at('api', 3)])
})
