/**
 * A person at a terminal, as a process of its own: runs a client in a real PTY, types, and measures when the answer is
 * there. It reads the PTY with blocking calls and no event loop in between, so that it adds as little as a terminal
 * emulator would, and the same to every client. Driven by messages of probe.mjs; whoever asks ends it by signal.
 */
import { spawnSync } from 'node:child_process'
import { readSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pause } from './clock.mjs'

/** Keys that no escape sequence of a terminal's screen drawing ends with or contains. */
const KEYS = [...'xyzvw'].map((key) => Buffer.from(key))
const LOOK_EVERY_MS = 0.1 // while a client starts: the resolution of its first paint
const READ_BYTES = 256 << 10
const buffer = Buffer.allocUnsafe(READ_BYTES)

let fd = -1
let pid = 0
let ended = null

const require = createRequire(import.meta.url)

/** The library's native part directly: its stream would read what is to be read here. */
function loadNative() {
  const path = require.resolve('node-pty/lib/utils')
  const { dir, module } = require(path).loadNativeModule('pty')
  return { native: module, helper: process.platform === 'darwin' ? resolve(dirname(path), dir, 'spawn-helper') : '' }
}
const { native, helper } = loadNative()

/** Starts the client and waits until its output holds `seen`; answers how long that took and what it cost in bytes. */
function start({ file, args, env, cwd, size, seen, timeoutMs }) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const exited = (code, signal) => {
    ended = { code, signal }
  }
  const began = performance.now()
  const forked = native.fork(file, args, variables, cwd, size.cols, size.rows, -1, -1, true, helper, exited)
  fd = forked.fd
  pid = forked.pid
  let text = ''
  while (!text.includes(seen)) {
    const count = readIfAny()
    if (count > 0) text += buffer.latin1Slice(0, count)
    else if (performance.now() - began > timeoutMs) throw new Error(`no "${seen}" within ${timeoutMs} ms, but: ${JSON.stringify(text)}`)
    else pause(LOOK_EVERY_MS)
  }
  const ms = performance.now() - began
  return { ms, bytes: text.length, pid }
}

function readIfAny() {
  try {
    return readSync(fd, buffer, 0, READ_BYTES, null)
  } catch (error) {
    if (error.code === 'EAGAIN') return 0
    throw new Error(`the client has ended${ended === null ? '' : ` (${JSON.stringify(ended)})`}`, { cause: error })
  }
}

/**
 * The library opens the master non-blocking and Node cannot change that; but the flag belongs to the open file, and
 * Node clears it for whatever it hands to a child as its standard input.
 */
function makeBlocking() {
  const { status } = spawnSync('true', { stdio: [fd, 'ignore', 'ignore'] })
  if (status !== 0) throw new Error('the terminal could not be made blocking')
}

/** Types one key at a time; answers milliseconds from each key to its echo. */
function keys({ count, gapMs }) {
  makeBlocking()
  const samples = []
  for (let index = 0; index < count; index += 1) {
    const key = KEYS[index % KEYS.length]
    pause(gapMs * (0.5 + Math.random())) // no rhythm that a timer could fall into step with
    const began = performance.now()
    writeSync(fd, key)
    while (!buffer.subarray(0, readSync(fd, buffer, 0, READ_BYTES, null)).includes(key));
    samples.push(performance.now() - began)
  }
  return samples
}

/** Reads and forgets everything from now on; this process does nothing else any more. */
function drain() {
  makeBlocking()
  for (;;) {
    try {
      if (readSync(fd, buffer, 0, READ_BYTES, null) === 0) break
    } catch {
      break // EIO: the client has ended
    }
  }
  process.exit(0)
}

const ACTIONS = { start, keys }

process.on('message', ({ id, action, options }) => {
  if (action === 'drain') return process.send({ id, result: null }, drain)
  try {
    process.send({ id, result: ACTIONS[action](options) })
  } catch (error) {
    process.send({ id, error: error.message })
  }
})
process.on('disconnect', () => process.exit(0))
