import { copyFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'

const WRITTEN = new Date(2_000_000)
const LATER = new Date(3_000_000)
/** As long as each other: V8 tells sources apart by their length only. */
const [ONE, TWO] = ['exports.says = 1', 'exports.says = 2']

const compiled = (source) => new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`).createCachedData()

function says({ source, changed = WRITTEN, cache }) {
  const folder = mkdtempSync(join(tmpdir(), 'entry-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copyFileSync(new URL('entry.cjs', import.meta.url), join(folder, 'main.js'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  const files = { 'main.bundle.js': source, ...(cache && { [`main.${process.version}-${process.arch}.cache`]: cache }) }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content)
    utimesSync(join(folder, name), WRITTEN, name === 'main.bundle.js' ? changed : WRITTEN)
  }
  return createRequire(import.meta.url)(join(folder, 'main.js')).says
}

test('a bundle runs from the code that was compiled for it', () => {
  expect(says({ source: TWO, cache: compiled(ONE) })).toBe(1)
})

test('a bundle that was changed after it was compiled runs as it is now', () => {
  expect(says({ source: TWO, changed: LATER, cache: compiled(ONE) })).toBe(2)
})

test('a bundle without code for this Node, or with code of another one, runs all the same', () => {
  const ofAnother = compiled(ONE)
  ofAnother[4] ^= 1 // the version of V8 is in its first bytes
  expect(says({ source: TWO })).toBe(2)
  expect(says({ source: TWO, cache: ofAnother })).toBe(2)
  expect(says({ source: TWO, cache: Buffer.from('not code at all') })).toBe(2)
})
