/**
 * Whether the daemon answers, asked by a process of its own: the list of terminals again and again, and `holdfast ls` as a user
 * runs it. Driven by messages of probe.mjs.
 */
import { spawn } from 'node:child_process'
import { connectDaemon } from '../../build/client/daemonProcess.js'
import { localPaths } from '../../build/client/localPaths.js'
import { answerAsks } from './answerAsks.mjs'
import { delay } from './clock.mjs'

const LIST_EVERY_MS = 50

let watching = null

async function begin({ env }) {
  const link = await connectDaemon({ paths: localPaths(env), who: 'bench', version: 'bench' })
  if (!link.ok) throw new Error(link.refusal.message)
  watching = { lists: repeat(() => asked(link.value), LIST_EVERY_MS), close: () => link.value.close() }
  return null
}

async function end() {
  const lists = await watching.lists.end()
  watching.close()
  return lists
}

/** Milliseconds of each, from its start to its end. */
async function commands({ command, env, count }) {
  const times = []
  for (let n = 0; n < count; n += 1) {
    const began = performance.now()
    await ended(command, env)
    times.push(performance.now() - began)
  }
  return times
}

/** Milliseconds of each, one after the other. */
function repeat(work, everyMs) {
  const times = []
  let isOver = false
  const loop = async () => {
    while (!isOver) {
      const began = performance.now()
      await work()
      times.push(performance.now() - began)
      await delay(everyMs)
    }
  }
  const looping = loop()
  looping.catch(() => undefined) // told by `end`
  return {
    async end() {
      isOver = true
      await looping
      return times
    },
  }
}

async function asked(client) {
  const answer = await client.request('terminal.list', {})
  if (!answer.ok) throw new Error(answer.refusal.message)
}

function ended([file, ...args], env) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`))))
  })
}

answerAsks({ begin, end, commands })
