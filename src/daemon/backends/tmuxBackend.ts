/**
 * Programs in a tmux server of our own, which the user does not see: it has its own socket and configuration, and one session per
 * program. They survive the end of every Holdfast process. What runs is found by asking tmux, never from our records.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readCard } from '../../client/holderCards.ts'
import { configText } from '../../tmux/config.ts'
import { installedTmux } from '../../tmux/run.ts'
import { endClients, endSession, type FoundSession, findGuest, listSessions } from '../../tmux/server.ts'
import { sessionOf } from '../../tmux/session.ts'
import { HOLDER_PROTOCOL, type HolderCard, type TmuxOrder } from '../../wire/holder.ts'
import { type Paths, runDirectory, runSocket } from '../../wire/paths.ts'
import { trip } from '../base/trip.ts'
import { readRunEnd } from '../history/runLog.ts'
import { adoptInTmux, type Backend, type BackendWorld, type Survivor } from './backend.ts'
import type { Afterlife } from './holders.ts'
import { type ProgramOrder, type Starting, startProgram } from './startHolder.ts'

/** Not longer than a boot may take. */
const ANSWERS_WITHIN_MS = 1_000
/** A session that is younger may belong to a holder that is about to start its program. */
const ABANDONED_AFTER_MS = 60_000

export function tmuxBackend(world: BackendWorld): Backend {
  const { paths } = world
  return {
    kind: 'tmux',
    async obstacle() {
      const installed = await installedTmux()
      return installed.ok ? null : installed.why
    },
    async spawn(order) {
      writeConfig(paths.tmuxConfig)
      const session = sessionOf(order.run)
      const tmux: TmuxOrder = { kind: 'new', socket: paths.tmuxSocket, session, config: paths.tmuxConfig }
      const started = await startProgram(world, order, tmux)
      if (!started.ok) await endSession(paths.tmuxSocket, session) // whatever a holder that went down had made by then
      return started
    },
    adopt: (card) => adoptInTmux(world, card),
    survivors: (dead) => survivorsOf(world, dead),
  }
}

/** It is read by whichever holder starts the server; never half of it. */
function writeConfig(path: string): void {
  const text = configText()
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

async function survivorsOf(world: BackendWorld, dead: readonly HolderCard[]): Promise<readonly Survivor[]> {
  const { paths } = world
  const ours = dead.filter(({ tmux }) => tmux !== undefined && tmux.kind !== 'guest')
  if (!existsSync(paths.tmuxSocket)) return [] // never was, or went with the machine
  const found = await listSessions(paths.tmuxSocket, ANSWERS_WITHIN_MS)
  if (found.kind === 'unknown') return ours.map((card) => ({ card, state: 'unknown' }))
  const survivors = found.sessions.flatMap((session) => survivorOf(world, session, ours))
  await endClients(
    paths.tmuxSocket,
    survivors.map(({ card }) => sessionOf(card.run)),
  )
  return survivors
}

function survivorOf(world: BackendWorld, session: FoundSession, dead: readonly HolderCard[]): readonly Survivor[] {
  const { paths, holders } = world
  const { run } = session
  if (holders.card(run) !== null) return []
  const isEnded = readRunEnd({ directory: runDirectory(paths, run), run }) !== null
  const isAbandoned = session.terminal === null && Date.now() - session.createdAt > ABANDONED_AFTER_MS
  if (isEnded || isAbandoned) void endSession(paths.tmuxSocket, session.session) // nothing runs in it, and its end is kept
  if (isEnded || session.terminal === null) return []
  const known = dead.find((card) => card.run === run)
  // A card of a living holder is not among the dead ones: such a session is looked after.
  if (known === undefined && existsSync(`${runDirectory(paths, run)}/holder.json`)) return []
  const card = known ?? cardFor(paths, { ...session, terminal: session.terminal })
  return [{ card: { ...card, pid: session.pid, size: session.size }, state: session.isDead ? 'ended' : 'runs' }]
}

/** The card of a holder that ended before it could write its own. */
function cardFor(paths: Paths, session: FoundSession & { readonly terminal: HolderCard['terminal'] }): HolderCard {
  const { run, terminal, pid, size, startedAt } = session
  return {
    ...{ speaks: HOLDER_PROTOCOL, version: '', terminal, run, holderPid: 0, holderStart: '', pid, pidStart: '', startedAt, size },
    ...{ socketPath: runSocket(paths, run), command: process.env['SHELL'] ?? '/bin/sh', args: [], cwd: process.env['HOME'] ?? '/' },
    tmux: { kind: 'found', socket: paths.tmuxSocket, session: session.session },
  }
}

export function afterlifeIn(world: () => Starting): Afterlife {
  return {
    async find({ run, tmux, pid }) {
      if (tmux === undefined) return 'gone'
      if (tmux.kind === 'guest') return await findGuest(tmux.socket, { pane: tmux.pane, pid })
      const found = await listSessions(tmux.socket)
      if (found.kind === 'unknown') return 'unknown'
      if (!found.sessions.some((session) => session.run === run)) return 'gone'
      await endClients(tmux.socket, [sessionOf(run)])
      return 'there'
    },
    async revive(card) {
      const here = world()
      trip('revive:before-start')
      const started = await startProgram(here, orderAgain(card), card.tmux && again(card.tmux))
      return started.ok ? { ok: true, card: readCard(runDirectory(here.paths, card.run)) } : started
    },
  }
}

/** The order of the run once more, for another holder. The environment is not kept: only its program has it. */
const orderAgain = ({ terminal, run, command, args, cwd, size, journal }: HolderCard): ProgramOrder => ({
  ...{ terminal, run, command, args, cwd, size, env: {} },
  ...(journal === undefined ? {} : { journal }),
})

const again = (tmux: TmuxOrder): TmuxOrder => (tmux.kind === 'guest' ? tmux : { kind: 'found', socket: tmux.socket, session: tmux.session })
