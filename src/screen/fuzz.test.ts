import fc from 'fast-check'
import { expect, it } from 'vitest'
import { differences, dump } from '../../test/support/screen/dump.ts'
import { feedInPieces, restored, screenWith } from '../../test/support/screen/feed.ts'
import { brokenBytes, pieces, soup } from '../../test/support/screen/soup.ts'
import { utf8Encode } from '../base/utf8.ts'
import { createScreen } from './screen.ts'

const SMALL = { cols: 20, rows: 8 }

it('shows the same however the bytes are cut into pieces, broken ones too', async () => {
  await fc.assert(
    fc.asyncProperty(brokenBytes, pieces, async (bytes, sizes) => {
      const whole = await screenWith(bytes, SMALL)
      const cut = createScreen({ ...SMALL, scrollback: 500 })
      await feedInPieces(cut, bytes, sizes)
      expect(differences(dump(whole), dump(cut))).toEqual([])
      expect(cut.seq).toBe(whole.seq)
      expect(cut.snapshot().seq).toBe(whole.snapshot().seq)
    }),
    { numRuns: 200 },
  )
})

it('restores what random output left behind, cell by cell nearly always and to the eye always', async () => {
  let exact = 0
  let runs = 0
  await fc.assert(
    fc.asyncProperty(soup, async (output) => {
      const original = await screenWith(output, SMALL)
      const copy = await restored(original)
      runs++
      if (differences(dump(original), dump(copy)).length === 0) exact++
      expect(differences(dump(original, 'look'), dump(copy, 'look'))).toEqual([])
    }),
    { numRuns: 300 },
  )
  console.log(`restored exactly: ${exact} of ${runs}`)
  expect(exact / runs).toBeGreaterThan(0.9)
})

it('continues from a snapshot and the bytes since it as if nothing had happened', async () => {
  await fc.assert(
    fc.asyncProperty(soup, soup, async (before, after) => {
      const output = utf8Encode(before + after)
      const original = await screenWith(before, SMALL)
      const snapshot = original.snapshot()
      await original.feed(utf8Encode(after))
      const copy = createScreen({ ...SMALL, scrollback: 500 })
      await copy.restore(snapshot)
      await copy.feed(output.slice(snapshot.seq))
      expect(copy.seq).toBe(original.seq)
      expect(differences(dump(original, 'look'), dump(copy, 'look'))).toEqual([])
    }),
    { numRuns: 300 },
  )
})
