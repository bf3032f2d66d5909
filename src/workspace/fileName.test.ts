import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeFileName } from './fileName.ts'

test.each([
  ['screenshot.png', 'screenshot.png'],
  ['Bildschirmfoto vom 3. Mai (2).png', 'Bildschirmfoto-vom-3.-Mai-2-.png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\mia\\report.pdf', 'report.pdf'],
  ['.bashrc', 'bashrc'],
  ['-rf', 'rf'],
  ['a\nb\x1b[31m$(rm -rf ~);`x`.txt', 'a-b-31m-rm-rf-x-.txt'],
  ['überraschung.txt', 'überraschung.txt'],
  ['u\u0308ber.txt', 'über.txt'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['', 'file'],
  ['///', 'file'],
  ['...', 'file'],
])('%j is called %j', (given, name) => {
  expect(safeFileName(given)).toBe(name)
})

test('a long name is cut before its ending', () => {
  expect(safeFileName(`${'x'.repeat(500)}.jpeg`)).toBe(`${'x'.repeat(155)}.jpeg`)
  expect(safeFileName('y'.repeat(500))).toBe('y'.repeat(160))
  expect(safeFileName(`z.${'y'.repeat(500)}`)).toHaveLength(160)
  expect(safeFileName(`${'\u{20000}'.repeat(90)}.txt`)).toBe(`${'\u{20000}'.repeat(39)}.txt`)
})

test('whatever is given, the name is one part of a path, short, and nothing to a shell', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (given) => {
      const name = safeFileName(given)
      expect(name).toMatch(/^[\p{L}\p{N}\p{M}_+@=][\p{L}\p{N}\p{M}._+@=-]*$/u)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(160)
    }),
  )
})
