import { describe, expect, test } from 'vitest'
import { faultOf, foreignPackages, isAllowed, noticesText, packageOf } from './licenses.mjs'

describe('a licence', () => {
  test.each(['MIT', 'ISC', '(MIT OR GPL-3.0-only)', 'GPL-2.0-only OR (MIT AND BSD-3-Clause)', 'MIT AND CC0-1.0'])(
    'is allowed: %s',
    (license) => {
      expect(isAllowed(license)).toBe(true)
    },
  )

  test.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN x', 'UNLICENSED', '', 'MIT MIT', '(MIT', 'OR MIT', 'MPL-2.0'])(
    'is not allowed: %s',
    (license) => expect(isAllowed(license)).toBe(false),
  )

  test('that is missing, unknown or without its text is named with its package', () => {
    const one = { name: 'left', version: '1.0.0', license: 'MIT', texts: ['Permission'], builds: [] }
    expect(faultOf(one)).toBeNull()
    expect(faultOf({ ...one, license: null })).toBe('left 1.0.0 names no licence')
    expect(faultOf({ ...one, license: 'WTFPL' })).toContain('left 1.0.0 is under WTFPL')
    expect(faultOf({ ...one, texts: [] })).toBe('left 1.0.0 (MIT) has no licence text')
  })
})

test('a module belongs to the innermost package around it', () => {
  expect(packageOf('/r/node_modules/@xterm/xterm/lib/xterm.mjs')).toBe('/r/node_modules/@xterm/xterm')
  expect(packageOf('/r/node_modules/a/node_modules/b/index.js?raw')).toBe('/r/node_modules/a/node_modules/b')
  expect(packageOf('\0rolldown/runtime.js', '/r')).toBe('/r/node_modules/rolldown')
  expect(packageOf('/r/src/web/main.tsx')).toBeNull()
})

test('every package that is installed with ours has an allowed licence and a text, and the notices hold it', () => {
  const { packages } = foreignPackages()
  expect(packages.flatMap((one) => faultOf(one) ?? [])).toEqual([])
  const text = noticesText(packages)
  const titles = text.split('\n').map((line) => line.split(' ')[0])
  expect(titles).toEqual(expect.arrayContaining(['ws', 'zod', 'node-pty', '@photostructure/sqlite']))
  expect(text).toBe(noticesText(foreignPackages().packages))
})
