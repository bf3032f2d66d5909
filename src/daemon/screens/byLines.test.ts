import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byLines } from './byLines.ts'

const cut = (text: string, lines: number, cols: number): string[] =>
  [...byLines(new TextEncoder().encode(text), { lines, cols })].map((piece) => new TextDecoder().decode(piece))

test('output with few lines stays in one piece', () => {
  expect(cut('one\ntwo', 3, 80)).toEqual(['one\ntwo'])
  expect(cut('', 3, 80)).toEqual([])
})

test('a piece ends where its last line does', () => {
  expect(cut('1\n2\n3\n4\n5', 2, 80)).toEqual(['1\n2\n', '3\n4\n', '5'])
})

test('text that wraps counts as the lines it fills', () => {
  expect(cut('abcdefghij', 2, 2)).toEqual(['abcd', 'efgh', 'ij'])
})

test('no byte is lost and no piece moves further than allowed', () => {
  const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => bytes.map((byte) => (byte < 90 ? 0x0a : byte)))
  fc.assert(
    fc.property(anyBytes, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 2, max: 9 }), (bytes, lines, cols) => {
      const pieces = [...byLines(bytes, { lines, cols })]
      expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
      for (const piece of pieces) expect(piece.filter((byte) => byte === 0x0a).length).toBeLessThanOrEqual(lines)
    }),
  )
})
