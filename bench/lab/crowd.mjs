/**
 * Many clients on many terminals over the Unix socket: most read as fast as they can, some slowly, some send nothing but garbage.
 * Each reader checks that it sees every line of its terminal once and in order.
 */

import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { DaemonClient } from '../../build/client/daemonClient.js'
import { unixTransport } from '../../build/client/unixTransport.js'
import { delay, until } from './clock.mjs'

const WINDOW_BYTES = 64 << 10
const SLOW_MS = 20 // after each piece
const GARBAGE_EVERY_MS = 20
const OVER_WITHIN_MS = 120_000

/** `terminals` are ids of terminals that run counts-when-told.sh with `lines`. Answers how each reader fared. */
export async function runCrowd({ socketPath, terminals, readers, slow, garbage, lines }) {
  const crowd = []
  for (let index = 0; index < readers; index += 1)
    crowd.push(new Reader({ socketPath, terminal: terminals[index % terminals.length], lines, pauseMs: index < slow ? SLOW_MS : 0 }))
  await Promise.all(crowd.map((reader) => reader.ready()))
  const vandals = Array.from({ length: garbage }, () => new Vandal(socketPath))
  const began = performance.now()
  await Promise.all(terminals.map((terminal) => tell(crowd, terminal)))
  try {
    await until(() => crowd.every(({ overAt, fault }) => overAt !== null || fault !== null), {
      what: 'every client to see the end',
      timeoutMs: OVER_WITHIN_MS,
    })
  } finally {
    for (const vandal of vandals) vandal.stop()
    for (const reader of crowd) reader.close()
  }
  return {
    readers: crowd.map((reader) => ({
      isSlow: reader.pauseMs > 0,
      ms: (reader.overAt ?? Number.POSITIVE_INFINITY) - began,
      fault: reader.fault,
      lines: reader.seen,
      isTold: reader.isTold,
    })),
    thrownOut: vandals.reduce((sum, { closed }) => sum + closed, 0),
  }
}

const tell = (crowd, terminal) => crowd.find((reader) => reader.terminal === terminal).start()

class Reader {
  seen = 0
  overAt = null
  fault = null
  /** Whether it was told of changes beside the output. */
  isTold = false
  #rest = ''
  #client
  #channel
  #isOpen

  constructor({ socketPath, terminal, lines, pauseMs }) {
    this.terminal = terminal
    this.lines = lines
    this.pauseMs = pauseMs
    this.#client = new DaemonClient({ connect: unixTransport(socketPath), who: 'crowd', version: 'bench', reconnect: 'always' })
    this.#client.watch({ onAll: () => undefined, onEvent: () => (this.isTold = true) })
    this.#isOpen = new Promise((resolve) => {
      this.#channel = this.#client.openChannel({
        terminal,
        window: WINDOW_BYTES,
        handlers: {
          onSnapshot: () => (this.seen === 0 ? resolve() : this.#fail('it had to begin anew')),
          onOutput: (bytes, consumed) => this.#take(bytes, consumed),
          onResized: () => undefined,
          onExited: () => this.#fail('the program ended'),
          onLink: () => undefined,
          onRefused: ({ message }) => this.#fail(message),
        },
      })
    })
  }

  ready() {
    return this.#isOpen
  }

  async start() {
    const answer = await this.#client.request('terminal.send', { terminal: this.terminal, text: '', enter: true })
    if (!answer.ok) this.#fail(answer.refusal.message)
  }

  close() {
    this.#channel.close()
    this.#client.close()
  }

  #take(bytes, consumed) {
    const parts = (this.#rest + Buffer.from(bytes).toString('latin1')).split('\r\n')
    this.#rest = parts.pop()
    for (const line of parts) this.#read(line)
    if (this.pauseMs === 0) consumed()
    else setTimeout(consumed, this.pauseMs)
  }

  #read(line) {
    const [, number] = /^line (\d+) of what every client has to see, whole and in order$/.exec(line) ?? []
    if (number !== undefined && Number(number) === this.seen + 1) this.seen += 1
    else if (line === 'count over' && this.seen === this.lines) this.overAt = performance.now()
    else if (line !== '') this.#fail(`after line ${this.seen} came "${line.slice(0, 80)}"`)
  }

  #fail(why) {
    this.fault ??= why
  }
}

/** Connects, sends something that is not the protocol, is thrown out, and comes again. */
class Vandal {
  closed = 0
  #isStopped = false
  #socketPath

  constructor(socketPath) {
    this.#socketPath = socketPath
    void this.#run()
  }

  stop() {
    this.#isStopped = true
  }

  async #run() {
    while (!this.#isStopped) {
      await new Promise((resolve) => {
        const socket = connect(this.#socketPath, () => socket.write(randomBytes(1 + Math.floor(Math.random() * 4096))))
        socket.on('error', () => undefined)
        socket.on('close', resolve)
        setTimeout(() => socket.destroy(), 1_000).unref()
      })
      this.closed += 1
      await delay(GARBAGE_EVERY_MS)
    }
  }
}
