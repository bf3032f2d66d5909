/**
 * src/tmux: all that knows tmux. pane.ts is one pane as a program's terminal, with the same few verbs as a terminal of our own;
 * control.ts is the client behind it, server.ts lists what runs. Only base and the holder protocol come in. The program belongs to the
 * tmux server; this end may come and go. Whenever it comes back, it draws what tmux remembers.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ExitStatus, HolderOrder, Size, TmuxOrder } from '../wire/holder.ts'
import { Control } from './control.ts'
import { DeathWatch } from './deathWatch.ts'
import { Pipe } from './pipe.ts'
import { commandLine, quote, quoteBytes, unexpanded } from './quote.ts'
import {
  alternateCommands,
  type Captured,
  captureCommands,
  FACTS_FORMAT,
  factsIn,
  type PaneFacts,
  repaint,
  sizeIn,
  statusIn,
} from './repaint.ts'
import { runTmux } from './run.ts'
import { checkedPane, checkedSession } from './session.ts'

export type PaneHandlers = {
  output(bytes: Uint8Array): void
  /** What was printed from the last output until now is not known; the next output draws everything anew. */
  missed(): Promise<void>
  /** Resized by tmux: only its own tmux decides the size of a guest. */
  resized(size: Size): void
  exited(status: ExitStatus): void
  /** tmux is gone, and the program with it; how it ended is unknown. */
  lost(why: string): void
  /** Why it cannot be reached for now; null when it can again. */
  troubled(why: string | null): void
}

export type Pane = {
  readonly pid: number
  write(bytes: Uint8Array): boolean
  resize(size: Size): void
  pause(): void
  resume(): void
  /** It was asked to end. */
  endExpected(): void
  /** Ours ends its session; a guest's is left as it is. */
  leave(): Promise<void>
}

export type PaneOrder = Pick<HolderOrder, 'command' | 'args' | 'cwd' | 'env' | 'size' | 'umask' | 'terminal' | 'run' | 'runDirectory'> & {
  readonly tmux: TmuxOrder
}

/** One command holds this much input, four times as long. */
const INPUT_PIECE_BYTES = 2 << 10
/** As keys, every byte is one for tmux; more than this goes through a buffer, which is quicker but knows no zero. */
const KEYS_BYTES = 64
/** What is typed while tmux is out of reach; beyond it nothing is taken. */
const WAITING_BYTES = 1 << 20
const RETRY_MS = { first: 100, most: 5_000 }
/** The window's name once its program has ended. Programs cannot rename it: see `config.ts`. */
const ENDED = 'ended'
/** Set on a session together with the start of its program: one without it has never had any. */
export const MARK = '@holdfast'
/** A server whose last session has just ended takes a client along that comes a moment too early. */
const BEGIN_TIMES = 3
const BEGIN_AGAIN_MS = 100

/** Stands in the pane until the client is there that is to see everything; it prints nothing. */
const PLACEHOLDER = ['/bin/sh', '-c', 'exec cat']
/** The program gets the user's mask and no sign of being in tmux: it may well start one of its own. */
const WRAPPER = 'umask "$1"; shift; unset TMUX TMUX_PANE TERM_PROGRAM TERM_PROGRAM_VERSION; exec "$@"'

export async function openPane(order: PaneOrder, handlers: PaneHandlers, trip: (point: 'tmux:session-made') => void): Promise<Pane> {
  const link = new PaneLink(order, handlers)
  try {
    if (order.tmux.kind === 'new') await link.begin(order.tmux, trip)
    else await link.attach()
    return link
  } catch (error) {
    await link.giveUp()
    throw error
  }
}

class PaneLink implements Pane {
  pid = 0
  private size: Size
  private control: Control | null = null
  private pipe: Pipe | null = null
  private pane = ''
  private window = ''
  /** Whether it is known what was before the next output; until then a guest's is held back. */
  private isCurrent = false
  private held: Uint8Array[] = []
  private isOver = false
  private death: DeathWatch | null = null
  private waiting: Uint8Array[] = []
  private waitingBytes = 0

  constructor(
    private readonly order: PaneOrder,
    private readonly handlers: PaneHandlers,
  ) {
    this.size = order.size
  }

  /** The pipe is there before the program, so that every byte is seen. The environment goes through the client's input: arguments can be read by all. */
  async begin(tmux: Extract<TmuxOrder, { kind: 'new' }>, trip: (point: 'tmux:session-made') => void): Promise<void> {
    const session = checkedSession(tmux.session)
    const { order } = this
    const size = ['-x', String(order.size.cols), '-y', String(order.size.rows)]
    const control = await this.openAtLast(['-f', tmux.config, 'new-session', '-A', '-s', session, ...size, '--', ...PLACEHOLDER])
    this.know(await factsOf(control, `=${session}:`))
    const { pane } = this
    trip('tmux:session-made')
    const piped = await this.openPipe()
    this.isCurrent = true
    const tellEnd = `run-shell -b -C ${quote(`rename-window -t ${pane} ${ENDED}`)}`
    await control.askAll([
      piped,
      commandLine(['set-hook', '-p', '-t', pane, 'pane-died', tellEnd]),
      commandLine(['set-option', '-t', `=${session}:`, MARK, markOf(order)]),
      respawnLine(order, pane),
    ])
    this.watch(await factsOf(control, pane))
  }

  /** To what is there already, with everything that tmux remembers of it. */
  async attach(): Promise<void> {
    const { tmux } = this.order
    const isGuest = tmux.kind === 'guest'
    const target = isGuest ? checkedPane(tmux.pane) : `=${checkedSession(tmux.session)}:`
    const flags = isGuest ? ['-f', 'ignore-size'] : []
    const control = await this.open(['attach-session', ...flags, '-t', await sessionIdOf(tmux.socket, target)])
    const facts = await factsOf(control, target)
    this.know(facts)
    if (isGuest && this.pid !== tmux.pid) throw new Error('the program that was in this pane is gone')
    const isPiped = !isGuest && facts.pane_dead !== '1' // what has ended prints no more
    const captured = await capture(control, this.pane, isPiped ? [await this.openPipe()] : [])
    this.watch(captured.facts)
    if (!isSame(this.size, sizeIn(captured.facts))) this.followSize(sizeIn(captured.facts))
    this.isCurrent = true
    this.handlers.output(repaint(captured))
    for (const bytes of this.held.splice(0)) this.handlers.output(bytes)
    for (const bytes of this.waiting.splice(0)) this.write(bytes)
    this.waitingBytes = 0
    if (captured.facts.pane_dead === '1') setImmediate(() => void this.look().catch(() => undefined))
  }

  write(bytes: Uint8Array): boolean {
    const { control } = this
    if (this.isOver) return true
    if (control === null || !this.isCurrent) return this.keepForLater(bytes)
    this.death?.soon()
    for (let at = 0; at < bytes.length; at += INPUT_PIECE_BYTES)
      control.tell(inputCommands(this.pane, bytes.subarray(at, at + INPUT_PIECE_BYTES)))
    return true
  }

  /** A guest has the size that its own tmux gives it. */
  resize(size: Size): void {
    if (this.order.tmux.kind === 'guest') return
    this.size = size
    this.control?.tell([`resize-window -t ${this.pane} -x ${size.cols} -y ${size.rows}`])
  }

  /** tmux stops reading the program while its client is not read. A guest may have other clients. */
  pause(): void {
    if (this.order.tmux.kind === 'guest') return
    this.control?.pause()
    this.pipe?.pause()
  }

  resume(): void {
    this.control?.resume()
    this.pipe?.resume()
  }

  endExpected(): void {
    this.death?.soon()
  }

  async leave(): Promise<void> {
    this.isOver = true
    this.pipe?.close()
    const { tmux } = this.order
    if (tmux.kind !== 'guest') await runTmux(['-S', tmux.socket, 'kill-session', '-t', `=${checkedSession(tmux.session)}`])
    this.control?.close()
  }

  /** Nothing was begun: what was made for it goes, what was there stays. */
  async giveUp(): Promise<void> {
    if (this.order.tmux.kind === 'new') return await this.leave()
    this.isOver = true
    this.pipe?.close()
    this.control?.close()
  }

  private keepForLater(bytes: Uint8Array): boolean {
    if (this.waitingBytes + bytes.length > WAITING_BYTES) return false
    this.waiting.push(bytes.slice())
    this.waitingBytes += bytes.length
    return true
  }

  private async openAtLast(args: readonly string[]): Promise<Control> {
    for (let time = 1; ; time += 1) {
      try {
        return await this.open(args)
      } catch (error) {
        if (time === BEGIN_TIMES) throw error
        await delay(BEGIN_AGAIN_MS)
      }
    }
  }

  private async open(args: readonly string[]): Promise<Control> {
    const isGuest = this.order.tmux.kind === 'guest'
    const control = await Control.open(['-S', this.order.tmux.socket, ...args], {
      output: (pane, bytes) => {
        if (!isGuest || pane !== this.pane) return
        if (this.isCurrent) this.handlers.output(bytes)
        else this.held.push(bytes)
      },
      answered: () => {
        if (!this.isCurrent) this.held = [] // what tmux has just told of the pane has it
      },
      notice: (name, rest) => this.noticed(name, rest),
      closed: (why) => void this.comeBack(why),
    })
    this.control = control
    return control
  }

  /** The command that makes tmux fill it from then on. */
  private async openPipe(): Promise<string> {
    this.pipe?.close()
    this.pipe = await Pipe.open(`${this.order.runDirectory}/pipe`, (bytes) => {
      this.death?.soon()
      this.handlers.output(bytes)
    })
    return commandLine(['pipe-pane', '-O', '-t', this.pane, unexpanded(this.pipe.fillCommand)])
  }

  private watch(facts: PaneFacts): void {
    this.know(facts)
    this.death?.stop()
    if (this.order.tmux.kind === 'guest') return
    this.death = new DeathWatch({ program: this.pid, server: Number(facts.pid) })
    this.death.soon()
    this.control?.tell([`refresh-client -B "end:${this.pane}:#{pane_dead}"`])
  }

  private know(facts: PaneFacts): void {
    this.pane = checkedPane(facts.pane_id)
    this.window = facts.window_id
    this.pid = Number(facts.pane_pid)
  }

  private noticed(name: string, rest: string): void {
    const isOurEnd = name === 'subscription-changed' || (name === 'window-renamed' && rest === `${this.window} ${ENDED}`)
    if (isOurEnd || this.order.tmux.kind === 'guest') void this.look().catch(() => undefined) // the end of the client tells the rest
  }

  private async look(): Promise<void> {
    if (this.control === null || this.isOver || !this.isCurrent) return
    const [line] = await this.control.ask(`list-panes -s -F ${FACTS_FORMAT} -f "#{==:#{pane_id},${this.pane}}"`)
    if (line === undefined) return await this.end(null)
    const facts = factsIn(line)
    if (facts.pane_dead === '1' && isUntold(facts) && this.death !== null) this.death.nudge()
    else if (facts.pane_dead === '1') await this.end(facts)
    else if (!isSame(this.size, sizeIn(facts))) this.followSize(sizeIn(facts))
  }

  private followSize(size: Size): void {
    this.size = size
    this.handlers.resized(size)
  }

  /** How a guest ended is unknown once its pane is gone. */
  private async end(facts: PaneFacts | null): Promise<void> {
    if (this.isOver) return
    this.isOver = true
    this.death?.stop()
    await this.pipe?.drain()
    this.handlers.exited(facts === null ? { code: 0 } : statusIn(facts))
  }

  /** The client has ended: tmux dropped or detached it, or tmux is gone. */
  private async comeBack(why: string): Promise<void> {
    this.control = null
    this.isCurrent = false
    for (let wait = RETRY_MS.first; !this.isOver; wait = Math.min(wait * 2, RETRY_MS.most)) {
      const found = await this.find()
      if (this.isOver) return
      if (found === 'gone') return this.goneWith(why)
      if (found === 'there' && (await this.attachAgain())) return this.handlers.troubled(null)
      this.handlers.troubled('tmux does not answer')
      await delay(wait)
    }
  }

  private goneWith(why: string): void {
    this.isOver = true
    this.pipe?.close()
    if (this.order.tmux.kind === 'guest') this.handlers.exited({ code: 0 })
    else this.handlers.lost(why)
  }

  private async attachAgain(): Promise<boolean> {
    try {
      this.pipe?.close() // whatever comes through it now is drawn in a moment
      await this.handlers.missed()
      await this.attach()
      return true
    } catch {
      this.control?.close()
      this.control = null
      return false // it is tried again, or found to be gone
    }
  }

  private async find(): Promise<'there' | 'gone' | 'silent'> {
    const { tmux } = this.order
    const target = tmux.kind === 'guest' ? checkedPane(tmux.pane) : `=${checkedSession(tmux.session)}:`
    const ran = await runTmux(['-S', tmux.socket, 'display-message', '-p', '-t', target, '#{pane_id} #{pane_pid}'])
    if (ran.kind === 'silent') return 'silent'
    return ran.kind === 'done' && ran.text.trim() === `${this.pane} ${this.pid}` ? 'there' : 'gone'
  }
}

async function factsOf(control: Control, target: string): Promise<PaneFacts> {
  const [line] = await control.ask(`display-message -p -t ${quote(target)} ${FACTS_FORMAT}`)
  return factsIn(line ?? '')
}

/** `then` are carried out in the same moment: what is printed after it is not in what was captured, and the other way round. */
async function capture(control: Control, pane: string, then: readonly string[]): Promise<Captured> {
  const isFull = (await factsOf(control, pane)).alternate_on === '1'
  const commands = isFull ? alternateCommands(pane) : captureCommands(pane)
  const [facts, shown = [], history = [], below = []] = await control.askAll([...commands, ...then])
  return { facts: factsIn(facts?.[0] ?? ''), shown, history: isFull ? history : [], below: isFull ? below : [] }
}

/** Attaching by the pane itself would make it the one in front, in the user's own tmux. */
async function sessionIdOf(socket: string, target: string): Promise<string> {
  const ran = await runTmux(['-S', socket, 'display-message', '-p', '-t', target, '#{session_id}'])
  if (ran.kind !== 'done' || ran.text.trim() === '') throw new Error(ran.kind === 'done' ? 'tmux knows no such pane' : ran.why)
  return ran.text.trim()
}

const markOf = ({ terminal, run }: PaneOrder): string => JSON.stringify({ terminal, run, at: Date.now() })

function respawnLine({ command, args, cwd, env, umask }: PaneOrder, pane: string): string {
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const mask = (umask ?? process.umask()).toString(8)
  return commandLine([
    ...['respawn-pane', '-k', '-t', pane, '-c', unexpanded(cwd), ...variables, '--'],
    ...['/bin/sh', '-c', WRAPPER, 'holdfast', mask, command, ...args],
  ])
}

/** tmux has seen the end of the terminal, and not yet how its program ended. */
const isUntold = ({ pane_dead_status, pane_dead_signal }: PaneFacts): boolean => pane_dead_status === '' && pane_dead_signal === ''

function inputCommands(pane: string, bytes: Uint8Array): readonly string[] {
  if (bytes.length <= KEYS_BYTES || bytes.includes(0))
    return [`send-keys -t ${pane} -H${Buffer.from(bytes).toString('hex').replace(/../g, ' $&')}`]
  return [`set-buffer -b ${pane} ${quoteBytes(bytes)}`, `paste-buffer -d -r -b ${pane} -t ${pane}`]
}

const isSame = (a: Size, b: Size): boolean => a.cols === b.cols && a.rows === b.rows
