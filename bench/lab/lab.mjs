/**
 * One figure's surroundings: a temporary directory that everything it starts works in, and the end of all of it.
 * Whatever carries the directory in its command line, environment or working directory was started here, so closing
 * the lab ends exactly those processes, by pid, also daemons and holders that were made to outlive their parents.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { delay, pause } from './clock.mjs'
import { processesMentioning } from './processes.mjs'

/** The benchmarks' terminal, the same on both sides. */
export const SIZE = { cols: 120, rows: 40 }
const GONE_WITHIN_MS = 5_000
const LOOK_AGAIN_MS = 20
const HEAR_OF_IT_MS = 100 // clients in this process look into their files when a process they started has ended

/** Labs that are open, so that an interrupted run can close them. */
const open = new Set()

export class Lab {
  directory = mkdtempSync(join(tmpdir(), 'hfb-'))
  /** Directories elsewhere that belong to this lab: Holdfast moves its sockets where a path would be too long. */
  elsewhere = new Set()

  constructor() {
    open.add(this)
  }

  path(...names) {
    return join(this.directory, ...names)
  }

  folder(name) {
    const path = this.path(name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  }

  /** What programs under test inherit: nothing of an outer multiplexer, agent or Holdfast. */
  environment(more = {}) {
    const { PATH, HOME } = process.env
    return { PATH, HOME, SHELL: '/bin/sh', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', LAB: this.directory, ...more }
  }

  /** Ends everything, lets this process hear of it, then removes the files. */
  async close() {
    this.endProcesses()
    await delay(HEAR_OF_IT_MS)
    this.remove()
  }

  /** Synchronous, because it must also work while this process is leaving. */
  closeAtOnce() {
    this.endProcesses()
    this.remove()
  }

  endProcesses() {
    const deadline = performance.now() + GONE_WITHIN_MS
    for (let left = this.endAll(); left > 0; left = this.endAll()) {
      if (performance.now() > deadline) throw new Error(`${left} processes of ${this.directory} do not end`)
      pause(LOOK_AGAIN_MS)
    }
  }

  remove() {
    for (const path of [this.directory, ...this.elsewhere]) rmSync(path, { recursive: true, force: true })
    open.delete(this)
  }

  endAll() {
    const left = processesMentioning(this.directory)
    for (const pid of left) kill(pid)
    return left.length
  }
}

export function closeAllLabsAtOnce() {
  for (const lab of [...open]) lab.closeAtOnce()
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended by itself in between
  }
}
