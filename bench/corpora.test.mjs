import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CORPORA, corpusFile, makeCorpus } from './corpora.mjs'

test.each(CORPORA)('the %s corpus is the same for the same seed, and another for another', (kind) => {
  const corpus = makeCorpus(kind, { bytes: 100_000, seed: 7 })
  expect(corpus).toHaveLength(100_000)
  expect(makeCorpus(kind, { bytes: 100_000, seed: 7 }).equals(corpus)).toBe(true)
  expect(makeCorpus(kind, { bytes: 100_000, seed: 8 }).equals(corpus)).toBe(false)
})

test('a longer corpus begins with the shorter one', () => {
  expect(
    makeCorpus('agent', { bytes: 50_000 })
      .subarray(0, 9_999)
      .equals(makeCorpus('agent', { bytes: 9_999 })),
  ).toBe(true)
})

test('a corpus is written once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'corpora-'))
  const path = corpusFile('log', { mb: 0.1, folder })
  const { ino } = statSync(path)
  expect(statSync(corpusFile('log', { mb: 0.1, folder })).ino).toBe(ino)
  rmSync(folder, { recursive: true })
})
