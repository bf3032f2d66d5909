/** Holdfast as it is built in dist/, on a state directory of the lab. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureDaemon } from '../../build/client/daemonProcess.js'
import { localPaths } from '../../build/client/localPaths.js'
import { until } from './clock.mjs'
import { SIZE } from './lab.mjs'
import { openListProbe, openPageProbe, openPtyProbe } from './probe.mjs'

/** What users run: one file per process. The client's code in this process comes from build/, and would start that. */
const DAEMON = fileURLToPath(new URL('../../dist/daemon/main.js', import.meta.url))
export const HOLDFAST = fileURLToPath(new URL('../../bin/holdfast.cjs', import.meta.url))

export class Holdfast {
  name = 'holdfast'
  env
  #lab
  #paths
  #client = null

  static async start(lab) {
    const holdfast = new Holdfast(lab)
    await holdfast.ask('daemon.status', {})
    return holdfast
  }

  constructor(lab) {
    this.#lab = lab
    this.env = lab.environment({ HOLDFAST_HOME: lab.folder('home') })
    this.#paths = localPaths(this.env)
    if (!this.#paths.sockets.startsWith(lab.directory)) lab.elsewhere.add(this.#paths.sockets)
    // Any free port: the usual one may be taken by the user's own daemon.
    writeFileSync(this.#paths.config, '[web]\nport = 0\n', { mode: 0o600 })
  }

  get socketPath() {
    return this.#paths.daemonSocket
  }

  /** A command of the table; the daemon is started if it does not run. */
  async ask(command, params) {
    const client = await this.#connected()
    const answer = await client.request(command, params)
    if (!answer.ok) throw new Error(`${command}: ${answer.refusal.message}`)
    return answer.value.result
  }

  async #connected() {
    if (this.#client?.state.kind === 'connected') return this.#client
    const link = await ensureDaemon({ paths: this.#paths, who: 'bench', version: 'bench', entry: DAEMON })
    if (!link.ok) throw new Error(`${link.refusal.message}\n${this.#startLog()}`)
    this.#client = link.value
    return link.value
  }

  #startLog() {
    try {
      return readFileSync(`${this.#paths.logs}/daemon-start.log`, 'utf8').slice(-2_000)
    } catch {
      return ''
    }
  }

  /** Starts a program in a new terminal; answers its view. */
  newTerminal(command, args = []) {
    const { HOLDFAST_HOME: _ours, ...inherited } = this.env
    return this.ask('terminal.new', { cwd: this.#lab.directory, env: {}, inherited, size: SIZE, command, args })
  }

  async open(command, args = []) {
    const { id } = await this.newTerminal(command, args)
    return id
  }

  attach(id, { seen }) {
    return openPtyProbe(this.#lab, { file: process.execPath, args: [HOLDFAST, 'attach', id], env: this.env, seen })
  }

  async openPage() {
    const { url } = await this.ask('web.login', {})
    return openPageProbe(this.#lab, { url })
  }

  /** Asks for the list, by the protocol and by the command, from a process that does nothing else. */
  watchLists() {
    return openListProbe(this.#lab, { command: [process.execPath, HOLDFAST, 'ls'], env: this.env })
  }

  async close(id) {
    await this.ask('terminal.close', { terminal: id })
  }

  /** How many lines can be read back. */
  async historyOf(id) {
    const { first, end } = await this.ask('terminal.history', { terminal: id, count: 1, format: 'text' })
    return end - first
  }

  async daemonPid() {
    return (await this.ask('daemon.status', {})).pid
  }

  /** Ends the daemon, not its programs; the next question starts another one. */
  async endDaemon(signal) {
    const pid = await this.daemonPid()
    const client = this.#client
    process.kill(pid, signal)
    await until(() => client.state.kind !== 'connected', { what: 'the daemon to end', everyMs: 1 })
    return pid
  }
}
