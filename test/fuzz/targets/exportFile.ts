/** Exported files: damaged ones, and some with right checksums that were made to hurt. */
import { brotliCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { AGENTS } from '../../../src/agents/programs/all.ts'
import { blake3 } from '../../../src/store/blake3.ts'
import { decodeExport, encodeExport } from '../../../src/store/exportFile.ts'
import { checkpointFromElsewhere, type Here } from '../../../src/workspace/checkpoint/fromElsewhere.ts'
import { asleep, runId, terminalId } from '../../support/terminals.ts'
import { checkpointOf, entry, placed } from '../../support/workspaces.ts'
import { changedJson, damagedBytes, jsonTextOf, nastyJson, randomBytes } from '../nasty.ts'
import { demand, fuzzTarget } from '../target.ts'

const here: Here = { agents: AGENTS, shell: '/bin/sh', home: '/home/me', now: 1_000, from: 'elsewhere' }

const picture = new TextEncoder().encode('a screen')
const terminal = asleep({ id: terminalId(1), lastRun: runId(1) })
const screen = { run: runId(1), seq: 8, hash: blake3(picture) }
const checkpoint = checkpointOf({ topology: placed(terminal), terminals: [entry(terminal, { screen })] })
const host = { machine: 'm', boot: '', name: 'there' }
const file = encodeExport({ checkpoint, host, screens: new Map([[screen.hash, picture]]) })

const KEYS = ['checkpoint', 'host', 'screens', 'hash', 'bytes', 'terminals', 'topology', 'terminal', 'spec', 'args', 'env', 'screen']
const manifest = { checkpoint, host, screens: [{ hash: screen.hash, bytes: picture.length }] } as unknown

/** A right checksum over anything. */
function forged(body: Uint8Array, said: bigint): Uint8Array {
  const head = Buffer.from(file.subarray(0, 20))
  head.writeBigUInt64BE(said, 12)
  const packed = brotliCompressSync(body, { params: {} })
  return Buffer.concat([head, Buffer.from(blake3(Buffer.concat([head.subarray(8), packed])), 'hex'), packed])
}

const said = fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.constantFrom(0n, 1n, 1n << 40n, (1n << 64n) - 1n))
const body = fc
  .tuple(jsonTextOf(fc.oneof(changedJson(fc.constant(manifest), nastyJson(KEYS)), nastyJson(KEYS))), randomBytes, fc.boolean())
  .map(([text, rest, withPicture]) => {
    const json = Buffer.from(text)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(json.length)
    return Buffer.concat([length, json, withPicture ? picture : rest])
  })
const forgedFile = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: body }, damagedBytes(body)), said)
  .map(([given, length]) => forged(given, length ?? BigInt(given.length)))

export const exportFile = fuzzTarget({
  name: 'export',
  what: 'The decoder of exported files.',
  cases: 200,
  input: fc.oneof({ weight: 3, arbitrary: forgedFile }, damagedBytes(fc.constant(file)), randomBytes, fc.constant(file)),
  open: () => ({
    judge: (given) => {
      const decoded = decodeExport(Buffer.from(given))
      if (Buffer.from(file).equals(Buffer.from(given))) demand(decoded.ok, 'a good file was refused')
      if (!decoded.ok) return
      for (const { terminal: taken, env } of checkpointFromElsewhere(decoded.value.checkpoint, here).terminals) {
        demand(taken.state === 'asleep' && taken.onRestore === 'sleep' && taken.imported !== undefined, 'a record may start by itself')
        demand(Object.keys({ ...env, ...taken.spec.env }).length === 0 && taken.spec.backend === undefined, 'a record has an environment')
      }
    },
  }),
})
