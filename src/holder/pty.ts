/**
 * The only file that knows node-pty. It drives the native binding directly, because the library's own stream loses the
 * last bytes of short programs: the kernel reports a hang-up while bytes are still queued, and the event loop takes it
 * for the end. Here the slave side is kept open, so there is no hang-up; the end is learned from `waitpid`, and then the
 * master is read until it is empty.
 */
import { accessSync, chmodSync, closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants as osConstants } from 'node:os'
import { dirname, resolve } from 'node:path'
import { ReadStream } from 'node:tty'
import type { ExitStatus, HolderOrder, Size } from '../wire/holder.ts'

export type Program = Pick<HolderOrder, 'command' | 'args' | 'cwd' | 'env' | 'size'>

export type PtyHandlers = {
  /** `bytes` are overwritten after the call returns. */
  output(bytes: Uint8Array): void
  /** Called once, after the last output. */
  exited(status: ExitStatus): void
}

export type Pty = {
  readonly pid: number
  /** False when so much input is waiting already that this one was not taken. */
  write(bytes: Uint8Array): boolean
  resize(size: Size): void
  pause(): void
  resume(): void
  /** The program was asked to end, where that is not noticed by itself. */
  endExpected?(): void
  /** Called when the end of the program is kept, where there is something left to clear away. */
  leave?(): Promise<void>
}

type Forked = { readonly fd: number; readonly pid: number; readonly pty: string }
type Native = {
  fork(...args: readonly unknown[]): Forked
  resize(fd: number, cols: number, rows: number, pixelWidth: number, pixelHeight: number): void
}

/** One read of the event loop; a terminal's queue in the kernel is about as large. */
const READ_BYTES = 64 << 10
/** A read this long means that the kernel's queue probably holds more; asking an empty one costs an exception. */
const LIKELY_MORE_BYTES = 2 << 10
/** More than the kernel can hold for a terminal; bounds the last read where a background program keeps printing. */
const LAST_READ_BYTES = 1 << 20
/** Far beyond any paste; a program that reads nothing must not cost the holder its memory. */
const INPUT_LIMIT_BYTES = 16 << 20
/** The kernel's input queue holds 4 KB and cannot be polled here: retried soon, then ever more rarely. */
const RETRY_MS = { first: 1, last: 200 } as const

const require = createRequire(import.meta.url)

function loadNative(): { native: Native; helper: string } {
  const path = require.resolve('node-pty/lib/utils')
  const { dir, module } = require(path).loadNativeModule('pty') as { dir: string; module: Native }
  return { native: module, helper: process.platform === 'darwin' ? executable(resolve(dirname(path), dir, 'spawn-helper')) : '' }
}

/** Some unpackers drop the permission that macOS needs to start programs through this file. */
function executable(path: string): string {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    chmodSync(path, 0o755)
  }
  return path
}

/** Throws where the system refuses to fork. */
export function startProgram(program: Program, handlers: PtyHandlers): Pty {
  const { native, helper } = loadNative()
  const { command, args, cwd, size } = program
  const env = Object.entries(program.env).map(([name, value]) => `${name}=${value}`)
  const utf8 = true
  const ended = (code: number, signal: number): void => {
    input.stop()
    readRest(fd, buffer, handlers)
    stream.destroy()
    closeSync(slave)
    handlers.exited(statusOf(code, signal))
  }
  const { fd, pid, pty } = native.fork(command, [...args], env, cwd, size.cols, size.rows, -1, -1, utf8, helper, ended)
  const slave = openSync(pty, constants.O_RDWR | constants.O_NOCTTY)
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  const stream = readContinuously(fd, buffer, handlers)
  const input = new InputQueue(fd)
  return {
    pid,
    write: (bytes) => input.push(bytes),
    resize: ({ cols, rows }) => native.resize(fd, cols, rows, 0, 0),
    pause: () => stream.pause(),
    resume: () => stream.resume(),
  }
}

function readContinuously(fd: number, buffer: Buffer, handlers: PtyHandlers): ReadStream {
  const callback = (count: number): boolean => {
    let total = count
    let last = count
    while (last >= LIKELY_MORE_BYTES && total < READ_BYTES) {
      last = readSome(fd, buffer, total)
      total += last
    }
    handlers.output(buffer.subarray(0, total))
    return true
  }
  const stream = new ReadStream(fd, { onread: { buffer, callback } } as object)
  // macOS revokes the slave when its session ends, which shows up here; the exit callback follows in any case.
  stream.on('error', () => undefined)
  stream.resume()
  return stream
}

function readRest(fd: number, buffer: Buffer, handlers: PtyHandlers): void {
  for (let total = 0; total < LAST_READ_BYTES; ) {
    const count = readSome(fd, buffer, 0)
    if (count === 0) return
    total += count
    handlers.output(buffer.subarray(0, count))
  }
}

/** Zero where nothing is queued: the master does not block, and says so by an exception. */
function readSome(fd: number, buffer: Buffer, at: number): number {
  try {
    return readSync(fd, buffer, at, buffer.length - at, null)
  } catch {
    return 0
  }
}

const SIGNAL_NAMES = new Map(Object.entries(osConstants.signals).map(([name, number]) => [number as number, name]))

function statusOf(code: number, signal: number): ExitStatus {
  return signal === 0 ? { code } : { signal: SIGNAL_NAMES.get(signal) ?? `signal ${signal}` }
}

/** A piece that waits is copied to those before it: alone, it would keep the whole block in memory that it arrived in. */
const INPUT_BLOCK_BYTES = 16 << 10

type InputBlock = { readonly memory: Buffer; from: number; to: number }

/** Input for a program that may not be reading: written at once where the kernel takes it, else kept in order. */
class InputQueue {
  private readonly fd: number
  private readonly waiting: InputBlock[] = []
  private waitingBytes = 0
  private retryMs: number = RETRY_MS.first
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(fd: number) {
    this.fd = fd
  }

  push(bytes: Uint8Array): boolean {
    if (this.stopped || bytes.length === 0) return true
    if (this.waitingBytes + bytes.length > INPUT_LIMIT_BYTES) return false
    const taken = this.waitingBytes === 0 ? this.writeSome(bytes) : 0
    if (this.stopped || taken === bytes.length) return true
    this.keep(bytes.subarray(taken))
    this.timer ??= setTimeout(() => this.drain(), this.retryMs)
    return true
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
    this.waiting.length = 0
  }

  private keep(bytes: Uint8Array): void {
    const last = this.waiting.at(-1)
    const room = last === undefined ? 0 : last.memory.length - last.to
    if (last !== undefined && bytes.length <= room) {
      last.memory.set(bytes, last.to)
      last.to += bytes.length
    } else {
      const memory = Buffer.allocUnsafeSlow(Math.max(INPUT_BLOCK_BYTES, bytes.length))
      memory.set(bytes)
      this.waiting.push({ memory, from: 0, to: bytes.length })
    }
    this.waitingBytes += bytes.length
  }

  private drain(): void {
    this.timer = undefined
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const taken = this.writeSome(next.memory.subarray(next.from, next.to))
      if (this.stopped) return
      if (taken > 0) this.retryMs = RETRY_MS.first
      this.waitingBytes -= taken
      next.from += taken
      if (next.from === next.to) this.waiting.shift()
      else {
        this.timer = setTimeout(() => this.drain(), this.retryMs)
        this.retryMs = Math.min(this.retryMs * 2, RETRY_MS.last)
        return
      }
    }
  }

  private writeSome(bytes: Uint8Array): number {
    try {
      return writeSync(this.fd, bytes)
    } catch (error) {
      // Anything but "try again" means that the terminal is gone; its exit is on the way.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') this.stop()
      return 0
    }
  }
}
