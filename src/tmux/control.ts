/**
 * One tmux client in control mode: a session's output as it comes, and commands that are answered in order. While nothing
 * reads it, tmux stops reading the program, which waits as at any terminal.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type ControlEvent, ControlLines } from './controlLines.ts'
import { obstacleIn } from './ownSocket.ts'
import { tmuxEnvironment } from './run.ts'

/** A server that is alive answers in milliseconds, on a machine that swaps in seconds. */
const ANSWERS_WITHIN_MS = 5_000

export type ControlHandlers = {
  output(pane: string, bytes: Uint8Array): void
  notice(name: string, rest: string): void
  /** A command is answered: output that came before is known to it, what comes from now on is not. */
  answered?(): void
  /** Called once: the client has ended, by itself or because tmux did. */
  closed(why: string): void
}

class ControlError extends Error {}

/** Of one line: when one command fails, tmux drops those behind it, and answers none of them. */
type Line = object
type Waiting = { readonly line: Line; resolve(lines: readonly string[]): void; reject(error: Error): void }

export class Control {
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  private readonly lines = new ControlLines()
  private readonly waiting: Waiting[] = []
  private complaint = ''
  private isClosed = false
  private attached: () => void = () => undefined

  private constructor(
    args: readonly string[],
    private readonly handlers: ControlHandlers,
  ) {
    this.child = spawn('tmux', ['-u', '-C', ...args], { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/', env: tmuxEnvironment() })
    this.child.stdout.on('data', (chunk: Uint8Array) => {
      for (const event of this.lines.push(chunk)) this.take(event)
    })
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.complaint += chunk.toString()
    })
    this.child.stdin.on('error', () => undefined) // the end says why
    this.child.on('error', (error) => this.end(error.message))
    this.child.on('close', () => this.end(this.complaint.trim() || 'tmux has let go of its client'))
  }

  /** Resolves when the session is attached; rejects where it cannot be. `args` are the server's and the first command. */
  static async open(args: readonly string[], handlers: ControlHandlers): Promise<Control> {
    const foreign = obstacleIn(args)
    if (foreign !== null) throw new ControlError(foreign)
    let refuse: (why: string) => void = () => undefined
    let isOpen = false
    const closed = (why: string): void => (isOpen ? handlers.closed(why) : refuse(why))
    const control = new Control(args, { ...handlers, closed })
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => refuse('tmux does not answer'), ANSWERS_WITHIN_MS)
      refuse = (why) => {
        clearTimeout(timer)
        reject(new ControlError(why))
      }
      control.attached = () => {
        clearTimeout(timer)
        isOpen = true
        resolve()
      }
    }).catch((error: Error) => {
      control.close()
      throw error
    })
    return control
  }

  /** The answers to several commands that tmux carries out at one go, with no output in between. */
  async askAll(commands: readonly string[]): Promise<readonly (readonly string[])[]> {
    if (this.isClosed) throw new ControlError('tmux has let go of its client')
    const line = {}
    const answers = commands.map(() => new Promise<readonly string[]>((resolve, reject) => this.waiting.push({ line, resolve, reject })))
    const all = Promise.all(answers)
    this.child.stdin.write(`${commands.join(' ; ')}\n`)
    return await within(all, ANSWERS_WITHIN_MS)
  }

  async ask(command: string): Promise<readonly string[]> {
    const [answer] = await this.askAll([command])
    return answer ?? []
  }

  /** Without waiting for the answers. */
  tell(commands: readonly string[]): void {
    if (this.isClosed) return
    const line = {}
    for (const _ of commands) this.waiting.push({ line, resolve: () => undefined, reject: () => undefined })
    this.child.stdin.write(`${commands.join(' ; ')}\n`)
  }

  pause(): void {
    this.child.stdout.pause()
  }

  resume(): void {
    this.child.stdout.resume()
  }

  /** The session keeps running without us. */
  close(): void {
    this.isClosed = true
    this.child.kill('SIGTERM')
  }

  private take(event: ControlEvent): void {
    if (event.kind === 'output') this.handlers.output(event.pane, event.bytes)
    else if (event.kind === 'answer') this.answer(event)
    else if (event.name === 'session-changed') this.attached()
    else if (event.name !== 'exit') this.handlers.notice(event.name, event.rest)
  }

  private answer({ ok, lines }: Extract<ControlEvent, { kind: 'answer' }>): void {
    const [first] = this.waiting
    this.handlers.answered?.()
    if (ok) return this.waiting.shift()?.resolve(lines)
    const error = new ControlError(lines.join(' ') || 'tmux refused a command')
    while (first !== undefined && this.waiting[0]?.line === first.line) this.waiting.shift()?.reject(error)
  }

  private end(why: string): void {
    const wasClosed = this.isClosed
    this.isClosed = true
    for (const { reject } of this.waiting.splice(0)) reject(new ControlError(why))
    if (!wasClosed) this.handlers.closed(why)
  }
}

async function within<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ControlError('tmux does not answer')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
