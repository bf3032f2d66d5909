/** Starts a probe (ptyProbe.mjs, pageProbe.mjs, listProbe.mjs or screenProbe.mjs) and asks it, with a limit to every answer. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { within } from './clock.mjs'
import { SIZE } from './lab.mjs'

const START_WITHIN_MS = 15_000
const ANSWER_WITHIN_MS = 60_000

/** Starts a client in a PTY of its own and waits until its screen shows `seen`. */
export async function openPtyProbe(lab, { file, args, env, seen }) {
  const probe = startProbe(lab, 'ptyProbe.mjs')
  const options = { file, args, env: lab.environment(env), cwd: lab.directory, size: SIZE, seen, timeoutMs: START_WITHIN_MS }
  return { ...probe, painted: await probe.ask('start', options) }
}

/** Logs in to the page; `show` then opens a terminal. */
export async function openPageProbe(lab, { url }) {
  const probe = startProbe(lab, 'pageProbe.mjs')
  await probe.ask('logIn', { url })
  return { ...probe, show: (terminal, seen) => probe.ask('show', { terminal, seen }) }
}

/** Lists the terminals again and again until `end`, which answers how long each time took; `commands` does so by a command. */
export async function openListProbe(lab, { command, env }) {
  const probe = startProbe(lab, 'listProbe.mjs')
  await probe.ask('begin', { env })
  return {
    commands: (count) => probe.ask('commands', { command, env, count }),
    async end() {
      const times = await probe.ask('end')
      await probe.close()
      return times
    },
  }
}

/** Asks a fresh process one question about the screen or the bare engine, and ends it. */
export async function askScreenProbe(lab, action, options) {
  const probe = startProbe(lab, 'screenProbe.mjs')
  try {
    return await probe.ask(action, options)
  } finally {
    await probe.close()
  }
}

function startProbe(lab, script) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [], {
    env: lab.environment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map()
  let nextId = 1
  child.on('message', ({ id, result, error }) => {
    const { resolve, reject } = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) resolve(result)
    else reject(new Error(error))
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`the probe has ended (${signal ?? code})`))
    waiting.clear()
  })
  const ask = (action, options) => {
    const answer = new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject })
      child.send({ id, action, options }, (error) => error && reject(error))
    })
    return within(ANSWER_WITHIN_MS, `${script}: ${action}`, answer)
  }
  return {
    ask,
    /** Milliseconds from key to echo, one by one. */
    keys: (count, gapMs) => ask('keys', { count, gapMs }),
    /** From now on everything is read and forgotten. */
    drain: () => ask('drain'),
    /** Ends the probe, and with it its terminal: the client is hung up. */
    close: () => endChild(child),
  }
}

async function endChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
