import fc from 'fast-check'
import { expect, it } from 'vitest'
import { previewCopy } from './copyPreview.ts'

it('a text is shown as it is, with its length and its lines', () => {
  expect(previewCopy('grüße 🙂 日本')).toEqual({ preview: 'grüße 🙂 日本', characters: 10, lines: 1, shown: 10 })
  expect(previewCopy('one\n\ttwo\n')).toEqual({ preview: 'one↵\n⇥\ttwo↵\n', characters: 9, lines: 2, shown: 9 })
})

it.each([
  ['a command that runs when it is pasted', 'ls\r', 'ls␍'],
  ['keys', 'a\x1b[201~b\x7f\0', 'a␛[201~b␡␀'],
  ['a direction', 'a\u202Eb\u2066c', 'a⟨U+202E⟩b⟨U+2066⟩c'],
  ['what has no width', 'a\u200bb\u00adc\ufeff', 'a⟨U+200B⟩b⟨U+00AD⟩c⟨U+FEFF⟩'],
  ['another space', 'a\u00a0b\u3000', 'a⟨U+00A0⟩b⟨U+3000⟩'],
  ['a tag', 'a\u{e0041}', 'a⟨U+E0041⟩'],
  ['half a character', 'a\ud800', 'a⟨U+D800⟩'],
])('%s is made visible', (_, text, preview) => {
  expect(previewCopy(text).preview).toBe(preview)
})

it('of a long text the beginning is shown, and how much there is', () => {
  const { preview, characters, shown } = previewCopy('🙂'.repeat(100_000))
  expect([[...preview].length, characters, shown]).toEqual([2_000, 100_000, 2_000])
})

it('two texts that look alike in the preview are alike', () => {
  const short = fc.string({
    unit: fc.constantFrom('a', ' ', '\u00a0', '\u200b', '\u202e', '\x1b', '\r', '\n', '\t', '\0', 'ä'),
    maxLength: 8,
  })
  fc.assert(
    fc.property(short, short, (a, b) => {
      expect(previewCopy(a).preview === previewCopy(b).preview).toBe(a === b)
    }),
    { numRuns: 2_000 },
  )
})
