import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { wishOf } from './wish.ts'

it('makes every shortcut of the manifest do what it says', () => {
  const manifest = JSON.parse(readFileSync(new URL('../public/manifest.webmanifest', import.meta.url), 'utf8'))
  const wishes = manifest.shortcuts.map(({ url }: { url: string }) => wishOf(new URL(url, 'http://page').search)?.kind)
  expect(wishes).toEqual(['newTerminal', 'palette'])
})

it('wants nothing where the address says nothing that is known', () => {
  expect(['', '?do=', '?do=rm', '?other=new'].map(wishOf)).toEqual([null, null, null, null])
})
