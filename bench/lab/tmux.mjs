/** The peer: a tmux server on a private socket, without the user's configuration. */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { until } from './clock.mjs'
import { openControl } from './control.mjs'
import { SIZE } from './lab.mjs'
import { openPtyProbe } from './probe.mjs'
import { privateBytes } from './processes.mjs'

const run = promisify(execFile)
const HISTORY_LINES = 10_000

/** Null where there is none. */
export function tmuxVersion() {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/** The names of both sides are the same, so that a figure can be written once: `open`, `attach`, `close`. */
export class Tmux {
  name = 'tmux'
  env
  #lab
  #nextSession = 1

  static async start(lab, { historyLines = HISTORY_LINES } = {}) {
    const tmux = new Tmux(lab)
    await tmux.#run('new-session', '-d', '-s', 'first', 'exec sleep 100000')
    await tmux.#run('set', '-g', 'status', 'off')
    await tmux.#run('set', '-s', 'escape-time', '0')
    await tmux.#run('set', '-g', 'history-limit', historyLines)
    return tmux
  }

  constructor(lab) {
    this.#lab = lab
    this.env = lab.environment({ TMUX_TMPDIR: lab.folder('tmux') })
  }

  /** Starts a program in a terminal of its own; answers what `attach` and `close` take. */
  async open(command, args = []) {
    const session = `s${this.#nextSession++}`
    const words = [command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    await this.#run('new-session', '-d', '-s', session, '-x', SIZE.cols, '-y', SIZE.rows, `exec ${words.join(' ')}`)
    return session
  }

  attach(session, { seen }) {
    return openPtyProbe(this.#lab, { ...this.#command('attach-session', '-t', session), env: this.env, seen })
  }

  async close(session) {
    await this.#run('kill-session', '-t', session)
  }

  /** Ends the server with everything in it; another one may start where it was. */
  async end() {
    const pid = await this.serverPid()
    await this.#run('kill-server')
    await until(() => privateBytes(pid) === null, { what: 'tmux to end' })
  }

  /** How many rows can be read back; a line longer than the screen is wide has several. */
  historyOf(session) {
    return this.#number(session, 'history_size')
  }

  serverPid() {
    return this.#number('first', 'pid')
  }

  /** A client that stays and takes commands, so that none pays for starting a process. */
  control() {
    return openControl({ ...this.#command('-C', 'attach-session', '-t', 'first'), env: this.env })
  }

  async #number(session, format) {
    return Number(await this.#run('display-message', '-p', '-t', session, `#{${format}}`))
  }

  async #run(...words) {
    const { file, args } = this.#command(...words)
    const { stdout } = await run(file, args, { env: this.env, timeout: 10_000 })
    return stdout.trim()
  }

  #command(...words) {
    return { file: 'tmux', args: ['-L', 'bench', '-f', '/dev/null', ...words.map(String)] }
  }
}
