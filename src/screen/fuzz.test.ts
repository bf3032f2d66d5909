import fc from 'fast-check'
import { expect, it } from 'vitest'
import { differences, dump } from '../../test/support/screen/dump.ts'
import { feedInPieces, restored, screenWith } from '../../test/support/screen/feed.ts'
import { brokenBytes, pieces, soup } from '../../test/support/screen/soup.ts'
import { utf8Encode } from '../base/utf8.ts'
import { createScreen, wholeOf } from './screen.ts'
import { differingParts } from './snapshot/compare.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot/snapshotBytes.ts'

const SMALL = { cols: 20, rows: 8 }
/** More by FUZZ_RUNS, with a longer --testTimeout. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300)

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
    { numRuns: RUNS },
  )
})

it('restores what random output left behind, cell by cell', async () => {
  let exact = 0
  let runs = 0
  await fc.assert(
    fc.asyncProperty(soup, async (output) => {
      const original = await screenWith(output, SMALL)
      const copy = await restored(original, output)
      runs++
      expect(original.checkedSnapshot().differs).toEqual([])
      expect(differences(dump(original), dump(copy))).toEqual([])
      exact++
    }),
    { numRuns: RUNS },
  )
  console.log(`restored exactly: ${exact} of ${runs}`)
  expect(exact).toBe(runs)
})

const size = fc.record({ cols: fc.integer({ min: 2, max: 30 }), rows: fc.integer({ min: 1, max: 12 }) })

it('continues from a snapshot and the bytes since it as if nothing had happened, through changes of the size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(soup, soup, soup, soup), fc.tuple(size, size), async ([first, before, after, last], [narrow, wide]) => {
      const original = await screenWith(first, SMALL)
      await original.resize(narrow)
      await original.feed(utf8Encode(before))
      const { snapshot, differs } = original.checkedSnapshot()
      expect(differs).toEqual([])
      const copy = createScreen({ ...SMALL, scrollback: 500 })
      await copy.restore(decodeSnapshot(encodeSnapshot(snapshot))!)
      await copy.feed(utf8Encode(first + before).slice(snapshot.seq))
      for (const screen of [original, copy]) {
        await screen.feed(utf8Encode(after))
        await screen.resize(wide)
        await screen.feed(utf8Encode(last))
      }
      expect(copy.seq).toBe(original.seq)
      expect(differences(dump(original), dump(copy))).toEqual([])
      expect(differingParts(wholeOf(original), wholeOf(copy), { history: 500 })).toEqual([])
    }),
    { numRuns: RUNS },
  )
})
