import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSealed, SEAL_BYTES, seal, unseal } from './seal.ts'

const CHEAP = { log2N: 14, r: 8, p: 1 }
const content = Buffer.from('layout, records and screens')
const sealed = seal(content, 'correct horse', CHEAP)

describe('a sealed file', () => {
  test('opens with its passphrase, however its letters were composed', () => {
    expect(isSealed(sealed)).toBe(true)
    expect(sealed.length).toBe(content.length + SEAL_BYTES)
    expect(unseal(sealed, 'correct horse')).toEqual({ ok: true, bytes: content })
    expect(unseal(seal(content, 'café'.normalize('NFD'), CHEAP), 'café'.normalize('NFC'))).toMatchObject({ ok: true })
  })

  test('tells a wrong passphrase from damage', () => {
    expect(unseal(sealed, 'correct house')).toEqual({ ok: false, why: 'wrong passphrase' })
    const torn = Buffer.from(sealed)
    torn.writeUInt8(torn.readUInt8(torn.length - 20) ^ 1, torn.length - 20)
    expect(unseal(torn, 'correct horse')).toEqual({ ok: false, why: 'damaged' })
    expect(unseal(sealed.subarray(0, -1), 'correct horse')).toEqual({ ok: false, why: 'damaged' })
  })

  test('hides its content, and no two are the same', () => {
    expect(sealed.includes('layout')).toBe(false)
    expect(seal(content, 'correct horse', CHEAP).equals(sealed)).toBe(false)
  })

  test('with any byte of its header changed does not open', () => {
    for (let at = 0; at < SEAL_BYTES - 16; at++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x40, at)
      expect(unseal(changed, 'correct horse').ok, `byte ${at}`).toBe(false)
    }
  })

  test('that asks for more memory or time than is bearable is refused before anything is computed', () => {
    for (const cost of [
      { log2N: 30, r: 8, p: 1 },
      { log2N: 14, r: 255, p: 1 },
      { log2N: 14, r: 8, p: 255 },
      { log2N: 1, r: 8, p: 1 },
    ])
      expect(unseal(withCost(cost), 'correct horse')).toEqual({ ok: false, why: 'unknown' })
  })
})

/** With a sum that is right. */
function withCost({ log2N, r, p }: typeof CHEAP): Buffer {
  const forged = Buffer.from(sealed)
  forged.set([log2N, r, p], 12)
  const sumAt = SEAL_BYTES - 16 - 32
  createHash('sha256').update(forged.subarray(0, sumAt)).digest().copy(forged, sumAt)
  return forged
}
