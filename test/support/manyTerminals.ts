import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TerminalId } from '../../src/base/ids.ts'
import { createScreen } from '../../src/screen/screen.ts'
import { encodeSnapshot } from '../../src/screen/snapshot/snapshotBytes.ts'
import { openStore } from '../../src/store/thread/openStore.ts'
import type { Topology } from '../../src/workspace/layout/topology.ts'
import type { Home } from './home.ts'
import { asleep, runId, spec, terminalId } from './terminals.ts'
import { placed } from './workspaces.ts'

export const LAST_SCREEN = 'what stood there'
const SIZE = { cols: 80, rows: 24 }

/**
 * Writes a workspace of terminals that sleep, as a daemon would have left it. They are named `t1`, `t2` and so on, and all
 * have the same last screen. Returns their ids.
 */
export async function writeSleepers(
  home: Home,
  count: number,
  arranged: (topology: Topology) => Topology = (topology) => topology,
): Promise<TerminalId[]> {
  mkdirSync(home.path, { recursive: true, mode: 0o700 })
  const opened = await openStore({ file: join(home.path, 'holdfast.db'), now: Date.now })
  if (!opened.ok) throw new Error(opened.refusal.message)
  const store = opened.value
  const terminals = Array.from({ length: count }, (_, at) =>
    asleep({ id: terminalId(at + 1), name: `t${at + 1}`, lastRun: runId(at + 1), spec: { ...spec, cwd: '/', size: SIZE } }),
  )
  const shown = await picture(`${LAST_SCREEN}\r\n`)
  await store.keepTopology(arranged(placed(...terminals)))
  await Promise.all(
    terminals.flatMap((terminal, at) => [store.keepTerminal(terminal), store.keepSnapshot(terminal.id, { run: runId(at + 1), ...shown })]),
  )
  await store.close()
  return terminals.map(({ id }) => id)
}

async function picture(text: string): Promise<{ readonly bytes: Uint8Array; readonly seq: number }> {
  const screen = createScreen(SIZE)
  const bytes = Buffer.from(text)
  await screen.feed(bytes)
  const snapshot = encodeSnapshot(screen.snapshot())
  screen.dispose()
  return { bytes: snapshot, seq: bytes.length }
}
