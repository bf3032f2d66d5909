/**
 * src/holder: one process per live terminal. It owns the program's terminal, numbers every byte, logs it, and serves it on a socket of
 * its own. It knows nothing of screens, agents or the daemon, and outlives all of them: only base, the holder's part of wire, tmux and
 * the PTY library come in.
 *
 *   pty → history (tail · marks · outputLog → segments) → subscriber → link ← server
 */
import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { openPane } from '../tmux/pane.ts'
import type { HolderOrder, HolderReady, TmuxOrder } from '../wire/holder.ts'
import { holderCardPath } from '../wire/paths.ts'
import { cardOf, writeCard } from './card.ts'
import { logBefore } from './history.ts'
import { Holder } from './holder.ts'
import { decodeOrder, obstacleOf } from './order.ts'
import { signalTree, systemProcesses } from './processes.ts'
import { type Pty, startProgram } from './pty.ts'
import { listen } from './server.ts'
import { trip } from './trip.ts'

async function start(order: HolderOrder): Promise<HolderReady> {
  const processes = systemProcesses()
  const undo: (() => unknown)[] = []
  const fail = async (reason: string): Promise<HolderReady> => {
    for (const step of undo.reverse()) await step()
    return { ok: false, reason }
  }
  try {
    const obstacle = order.tmux === undefined || order.tmux.kind === 'new' ? obstacleOf(order) : null
    if (obstacle !== null) return fail(obstacle)
    const goesOn = isThere(order)
    mkdirSync(order.runDirectory, { mode: 0o700, recursive: goesOn })
    if (!goesOn) undo.push(() => rmSync(order.runDirectory, { recursive: true, force: true }))
    const before = goesOn ? { before: logBefore(order.runDirectory, order.segmentBytes) } : {}
    const holder = new Holder({ order, ...before, processes, leave: () => leave(), lookAtDoor: () => listening.look() })
    const listening = await listen(order.socketPath, (socket) => holder.accept(socket))
    const leave = (): void => {
      listening.close()
      process.exit()
    }
    undo.push(() => listening.close())
    if (order.tmux === undefined) {
      const pty = startHere(order, holder)
      undo.push(() => signalTree(processes, pty.pid, 'SIGKILL'))
    } else await startInTmux({ ...order, tmux: order.tmux }, holder, undo)
    const status = await holder.status()
    writeCard(order.runDirectory, cardOf({ order, status, holderStart: processes.startOf(process.pid) }))
    process.on('SIGTERM', () => void holder.hangUp())
    return { ok: true, status, socketPath: order.socketPath }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

/** The run had a holder before this one; its log continues. */
const isThere = ({ tmux, runDirectory }: HolderOrder): boolean =>
  tmux?.kind === 'found' || (tmux?.kind === 'guest' && existsSync(holderCardPath(runDirectory)))

function startHere(order: HolderOrder, holder: Holder): Pty {
  // The program's files get the user's permissions, ours none for others.
  const ours = process.umask()
  process.umask(order.umask ?? ours)
  const pty = startProgram(order, { output: (bytes) => holder.handleOutput(bytes), exited: (status) => holder.handleExit(status) })
  process.umask(ours)
  holder.began(pty)
  return pty
}

/** What was there before us is not ours to end. */
async function startInTmux(order: HolderOrder & { readonly tmux: TmuxOrder }, holder: Holder, undo: (() => unknown)[]): Promise<void> {
  const early: (() => void)[] = []
  let isReady = false
  const whenReady = (tell: () => void): void => void (isReady ? tell() : early.push(tell))
  const pane = await openPane(
    order,
    {
      output: (bytes) => holder.handleOutput(bytes),
      missed: () => holder.handleMissed(),
      resized: (size) => holder.handleResized(size),
      exited: (status) => whenReady(() => holder.handleExit(status)),
      lost: () => whenReady(() => holder.handleLost()),
      troubled: (why) => holder.handleTrouble(why),
    },
    trip,
  )
  trip('tmux:program-started')
  if (order.tmux.kind === 'new') undo.push(() => pane.leave())
  holder.began(pane)
  isReady = true
  for (const tell of early) setImmediate(tell)
}

/** The daemon must be able to tell that we are on our own, and our numbers must not be taken by other files. */
function letGo(fd: 0 | 1): void {
  closeSync(fd)
  openSync('/dev/null', fd === 0 ? 'r' : 'w')
}

function readAll(fd: number): string {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 << 10)
    const count = readSync(fd, chunk, 0, chunk.length, null)
    if (count === 0) return Buffer.concat(chunks).toString()
    chunks.push(chunk.subarray(0, count))
  }
}

// Whatever goes wrong in here, the program must not lose its terminal for it.
process.on('uncaughtException', (error) => console.error('holder:', error))
process.on('unhandledRejection', (error) => console.error('holder:', error))
// SIGUSR1 would open a debugger's port.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined)

async function main(): Promise<void> {
  const order = decodeOrder(readAll(0))
  if (typeof order !== 'string') process.title = `holdfast-holder ${order.terminal}`
  const ready: HolderReady = typeof order === 'string' ? { ok: false, reason: order } : await start(order)
  try {
    writeSync(1, `${JSON.stringify(ready)}\n`)
  } catch {
    // The daemon has gone meanwhile; the next one finds the card.
  }
  letGo(0)
  letGo(1)
  if (!ready.ok) process.exit(1)
}

void main()
