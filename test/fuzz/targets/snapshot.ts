/** Snapshots: damaged ones, and some with right checksums whose header nobody of ours wrote. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { createScreen } from '../../../src/screen/screen.ts'
import type { Snapshot } from '../../../src/screen/snapshot/snapshot.ts'
import { decodeSnapshot, decodeSnapshotScreen, encodeSnapshot } from '../../../src/screen/snapshot/snapshotBytes.ts'
import { changedJson, damagedBytes, nastyJson, nastyText, randomBytes } from '../nasty.ts'
import { Complaint, demand, fuzzTarget } from '../target.ts'

const OUTPUTS = [
  'plain\r\n',
  '\x1b[1;31mred\x1b[m\x1b]0;title\x07',
  `${'line\r\n'.repeat(60)}\x1b[5;5r\x1b[?25l`,
  '\x1b[?1049h\x1b[3;3Hbelow\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\',
  '漢字 e\u0301 👩‍👩‍👧 \x1b7\x1b(0qqq\x1b(B\x1b8\x1b]7;file:///tmp\x07',
]

function sound(): Promise<readonly Snapshot[]> {
  return Promise.all(
    OUTPUTS.map(async (output) => {
      const screen = createScreen({ cols: 20, rows: 6, scrollback: 100 })
      await screen.feed(Buffer.from(output))
      const snapshot = screen.snapshot()
      screen.dispose()
      return snapshot
    }),
  )
}

/** All of it is JSON, so that any place in it can be changed and the checksums are right again. */
const snapshots = await sound()
const one = fc.constantFrom(...snapshots)
const hostile = fc.oneof(nastyJson(), nastyText, fc.constantFrom(1e9, 2 ** 31, 0, -1, '\x1b]0;x\x07', [[[]]]))
const changed = changedJson(one, hostile) as fc.Arbitrary<Snapshot>
const bytes = one.map(encodeSnapshot)

/** Null where not even our own encoder takes it. */
function encoded(snapshot: Snapshot): Uint8Array | null {
  try {
    return encodeSnapshot(snapshot)
  } catch {
    return null
  }
}

export const snapshot = fuzzTarget({
  name: 'snapshot',
  what: 'The decoder of snapshots, and the screen that takes one.',
  cases: 300,
  input: fc.record({ given: fc.oneof(changed.map(encoded), damagedBytes(bytes), randomBytes, bytes), more: nastyText }),
  open: () => ({
    judge: async ({ given, more }) => {
      if (given === null) return
      decodeSnapshotScreen(given)
      const decoded = decodeSnapshot(given)
      if (decoded === null) return
      const again = decodeSnapshot(encodeSnapshot(decoded))
      demand(isDeepStrictEqual(again, decoded), 'a decoded snapshot comes back as another one')
      demand(isScreenSized(decoded), 'a decoded snapshot is larger than any screen')
      await judgeRestored(decoded, more)
    },
  }),
})

const isLength = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1_000

/** Every number by which restoring it loops or allocates. */
function isScreenSized({ cols, rows, engine, patches, history }: Snapshot): boolean {
  const lists = [patches.normal, patches.alternate, ...history.map((chunk) => chunk.patches)] as readonly (readonly unknown[])[]
  const cells = lists.flat().map((patch) => Reflect.get(Object(patch), 'cells') as unknown)
  return [cols, rows, engine.normalBuffer.lines, engine.alternateBuffer.lines, ...cells].every(isLength)
}

async function judgeRestored(decoded: Snapshot, more: string): Promise<void> {
  const screen = createScreen({ cols: decoded.cols, rows: decoded.rows, scrollback: 100 })
  try {
    await screen.restore(decoded)
    await screen.feed(Buffer.from(more))
    screen.snapshot()
  } catch (cause) {
    throw new Complaint(`a decoded snapshot cannot be restored: ${String(cause)}`, { cause })
  } finally {
    screen.dispose()
  }
}
