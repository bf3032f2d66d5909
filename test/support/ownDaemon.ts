import { mkdirSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { RunId, TerminalId } from '../../src/base/ids.ts'
import { Daemon } from '../../src/daemon/compose.ts'
import { Screens } from '../../src/daemon/screens/screens.ts'
import { createScreen } from '../../src/screen/screen.ts'
import { encodeSnapshot } from '../../src/screen/snapshot/snapshotBytes.ts'
import { readHostId } from '../../src/store/hostId.ts'
import { defaultConfig } from '../../src/wire/config/config.ts'
import { encodeRecord, segmentName } from '../../src/wire/log.ts'
import { holderCardPath, pathsOf, runDirectory } from '../../src/wire/paths.ts'
import type { Topology } from '../../src/workspace/layout/topology.ts'
import type { Terminal } from '../../src/workspace/terminal/terminal.ts'
import { makeFolder, openOrThrow } from './store.ts'

/** A daemon in this process, with a store and screens of its own; nobody is connected to it, and unless asked to it holds no programs. */
export async function makeDaemon(topology: Topology, { holdsPrograms = false } = {}): Promise<Daemon> {
  const home = makeFolder()
  const paths = pathsOf({ home, uid: 0, temporary: home, hash: (text) => text })
  for (const directory of [paths.runs, paths.logs, paths.sockets]) mkdirSync(directory, { recursive: true })
  const log = pino({ level: 'silent' })
  const store = await openOrThrow(paths.database)
  const screens = new Screens(log)
  onTestFinished(() => screens.stop())
  const host = readHostId()
  const session = await store.beginSession({ version: '0', host })
  const daemon = new Daemon({
    paths,
    settings: { config: defaultConfig, trouble: null, text: null },
    store,
    screens,
    log,
    version: '0',
    umask: 0o022,
    topology,
    isLayoutKept: true,
    session,
    host,
  })
  daemon.isBooted.give()
  daemon.page.give(null)
  await store.keepTopology(topology)
  if (!holdsPrograms)
    Object.assign(daemon.backends.holder, { spawn: () => Promise.resolve({ ok: false, reason: 'nothing is started here' }) })
  return daemon
}

const SIZE = { cols: 60, rows: 8 }

/** The log of a run that has printed these texts, one after the other. */
export function writeRun(daemon: Daemon, { run, terminal, texts }: { run: RunId; terminal: TerminalId; texts: readonly string[] }): void {
  const directory = runDirectory(daemon.paths, run)
  mkdirSync(directory, { recursive: true })
  const bytes = Buffer.from(texts.join(''))
  const records = [
    encodeRecord({ kind: 'start', seq: 0, run, size: SIZE, at: 1 }, crc32),
    ...(bytes.length === 0 ? [] : [encodeRecord({ kind: 'output', seq: 0, bytes }, crc32)]),
  ]
  writeFileSync(`${directory}/${segmentName(0)}`, Buffer.concat(records))
  const card = { terminal, run, holderPid: 2 ** 31 - 1, holderStart: '', startedAt: 1, pid: 1, size: SIZE }
  writeFileSync(holderCardPath(directory), JSON.stringify(card))
}

/** Keeps the run's screen as it is after these texts. */
export async function keepPicture(
  daemon: Daemon,
  { run, terminal, texts }: { run: RunId; terminal: TerminalId; texts: readonly string[] },
): Promise<void> {
  const screen = createScreen(SIZE)
  const bytes = Buffer.from(texts.join(''))
  await screen.feed(bytes)
  await daemon.store.keepSnapshot(terminal, { run, seq: bytes.length, bytes: encodeSnapshot(screen.snapshot()) })
  screen.dispose()
}

export const put = (daemon: Daemon, terminal: Terminal): Promise<void> =>
  daemon.registry.carryOut(terminal.id, { terminal, effects: [{ kind: 'keep' }] })

/** What a client would see of it, history included. */
export async function seenOn(daemon: Daemon, id: TerminalId): Promise<string | null> {
  const terminal = daemon.registry.get(id)
  const run = terminal === null ? null : await daemon.runScreens.showable(terminal)
  return run === null ? null : (await daemon.screens.read(run, { history: 'all', format: 'text' })).content
}
