/**
 * The bytes of a pane as its program printed them, through a pipe that tmux fills. In control mode tmux throws away what it
 * has not handed on when a program ends; what is piped it hands on to the last byte.
 */
import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Nothing came for this many looks in a row: tmux has written all it has. */
const QUIET_LOOKS = 4
const LOOK_EVERY_MS = 15
/** A program in the background may go on printing for ever. */
const LAST_BYTES_WITHIN_MS = 5_000

export class Pipe {
  private readonly socket: Socket
  private count = 0

  /** `keeper` is an end for writing of our own: while there is one, a pause is not taken for the end. */
  private constructor(
    readonly path: string,
    fd: number,
    private readonly keeper: number,
    output: (bytes: Uint8Array) => void,
  ) {
    this.socket = new Socket({ fd, readable: true, writable: false })
    this.socket.on('data', (bytes) => {
      this.count += bytes.length
      output(bytes)
    })
    this.socket.on('error', () => undefined) // it ends
  }

  static async open(path: string, output: (bytes: Uint8Array) => void): Promise<Pipe> {
    rmSync(path, { force: true })
    await promisify(execFile)('mkfifo', ['-m', '600', path])
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return new Pipe(path, fd, openSync(path, constants.O_WRONLY), output)
  }

  /**
   * What fills it, for a shell. Opened for writing alone it would wait for ever for a reader that is gone; opened for both it
   * would never hear that the reader went. So it is first opened for both, and that is let go once it is open for writing.
   */
  get fillCommand(): string {
    const path = `'${this.path.replaceAll("'", `'\\''`)}'`
    return `[ -p ${path} ] && exec 3<> ${path} && exec cat > ${path} 3>&-`
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  /** The program has ended, and tmux has read all of it. Resolves when it has come. */
  async drain(): Promise<void> {
    this.resume()
    const until = performance.now() + LAST_BYTES_WITHIN_MS
    for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < until; ) {
      const before = this.count
      await delay(LOOK_EVERY_MS)
      quiet = this.count === before ? quiet + 1 : 0
    }
    this.close()
  }

  /** What may still be in it is not wanted any more. */
  close(): void {
    if (this.socket.destroyed) return
    this.socket.destroy()
    closeSync(this.keeper)
    rmSync(this.path, { force: true })
  }
}
