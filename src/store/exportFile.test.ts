import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { asleep, runId, terminalId } from '../../test/support/terminals.ts'
import { checkpointOf, entry, placed } from '../../test/support/workspaces.ts'
import { blake3 } from './blake3.ts'
import { decodeExport, type Exported, encodeExport } from './exportFile.ts'

const picture = new TextEncoder().encode('a screen')
const terminal = asleep({ id: terminalId(1), lastRun: runId(1) })
const screen = { run: runId(1), seq: 8, hash: blake3(picture) }
const exported: Exported = {
  checkpoint: checkpointOf({ topology: placed(terminal), terminals: [entry(terminal, { screen })] }),
  host: { machine: 'm', boot: '', name: 'there' },
  screens: new Map([[screen.hash, picture]]),
}
const file = encodeExport(exported)
const why = (bytes: Buffer): string => {
  const decoded = decodeExport(bytes)
  return decoded.ok ? 'it was taken' : decoded.why
}

describe('an exported file', () => {
  test('gives back what was put in', () => expect(decodeExport(file)).toEqual({ ok: true, value: exported }))

  test('with any byte changed, or cut anywhere, is refused', () => {
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file)
      changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at)
      expect(decodeExport(changed).ok, `byte ${at}`).toBe(false)
      expect(decodeExport(file.subarray(0, at)).ok, `cut at ${at}`).toBe(false)
    }
  })

  test('of somebody else, or of a later version, is refused by name', () => {
    expect(why(Buffer.from('PK\x03\x04 something else entirely, long enough to be one'))).toBe('it is not an export of Holdfast')
    const later = Buffer.from(file)
    later.writeUInt32BE(2, 8)
    expect(why(later)).toContain('a newer Holdfast (format 2')
  })

  test('that says it is huge, or is larger than it says, is refused before it is unpacked', () => {
    expect(why(forged(Buffer.alloc(64), 1n << 40n))).toContain('it is too large')
    expect(why(forged(Buffer.alloc(1 << 20), 64n))).toContain('it cannot be unpacked')
  })
})

/** A right checksum over wrong contents. */
function forged(body: Buffer, length: bigint): Buffer {
  const head = Buffer.from(file.subarray(0, 20))
  head.writeBigUInt64BE(length, 12)
  const packed = brotliCompressSync(body)
  return Buffer.concat([head, Buffer.from(blake3(Buffer.concat([head.subarray(8), packed])), 'hex'), packed])
}
