/**
 * The page without its pixels, as a process of its own: logs in as a browser does, speaks the daemon's protocol over the
 * WebSocket, types, and measures when the answer is there. Driven by messages of probe.mjs.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { DAEMON_PROTOCOL, decodeFromDaemon, encodeToDaemon, fromMessage, toMessage } from '../../build/wire/daemon.js'

const KEYS = [...'xyzvw'].map((key) => Buffer.from(key))
const WINDOW_BYTES = 1 << 20

let socket = null
let channel = null
let nextRequest = 1
const answers = new Map()
let onOutput = () => undefined

async function logIn({ url }) {
  const { origin, hash } = new URL(url)
  const headers = { 'Content-Type': 'application/json', Origin: origin }
  const reply = await fetch(`${origin}/api/login`, { method: 'POST', headers, body: JSON.stringify({ token: hash.slice(1) }) })
  if (!reply.ok) throw new Error(`the login was refused: ${reply.status} ${await reply.text()}`)
  const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { origin, headers: { Cookie: cookie }, perMessageDeflate: false })
  socket.on('message', (data) => take(decodeFromDaemon(fromMessage(data))))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const hello = new Promise((resolve) => answers.set('hello', resolve))
  send({ kind: 'hello', protocol: DAEMON_PROTOCOL, version: 'bench', who: 'bench' })
  await hello
  return null
}

function send(message) {
  socket.send(toMessage(encodeToDaemon(message)))
}

function take(message) {
  if (message?.kind === 'hello') answers.get('hello')?.()
  else if (message?.kind === 'reply') answers.get(message.id)?.(message)
  else if (message?.kind === 'output') {
    onOutput(message.bytes)
    send({ kind: 'ack', channel: message.channel, bytes: message.bytes.length })
  } else if (message?.kind === 'channel' && message.note.kind === 'caughtUp') answers.get('caughtUp')?.()
  else if (message?.kind === 'channel' && message.note.kind === 'broken') throw new Error(`the channel broke: ${message.note.why}`)
}

/** Opens a terminal; answers how long its picture took and how large it is. */
async function show({ terminal, seen }) {
  if (channel !== null) send({ kind: 'close', channel })
  const caughtUp = new Promise((resolve) => answers.set('caughtUp', resolve))
  const began = performance.now()
  const { answer, blob } = await request('terminal.open', { terminal, window: WINDOW_BYTES })
  const ms = performance.now() - began
  if (!answer.ok) throw new Error(answer.refusal.message)
  if (!Buffer.from(blob).includes(seen)) throw new Error(`the picture does not show "${seen}"`)
  channel = answer.result.channel
  await caughtUp
  return { ms, bytes: blob.length }
}

function request(command, params) {
  const id = nextRequest++
  return new Promise((resolve) => {
    answers.set(id, resolve)
    send({ kind: 'request', id, command, params })
  })
}

async function keys({ count, gapMs }) {
  const samples = []
  for (let index = 0; index < count; index += 1) {
    await delay(gapMs * (0.5 + Math.random()))
    samples.push(await echoOf(KEYS[index % KEYS.length]))
  }
  return samples
}

function echoOf(key) {
  return new Promise((resolve) => {
    const began = performance.now()
    onOutput = (bytes) => {
      if (bytes.includes(key[0])) resolve(performance.now() - began)
    }
    send({ kind: 'input', channel, bytes: key })
  })
}

const ACTIONS = { logIn, show, keys }

process.on('message', async ({ id, action, options }) => {
  try {
    process.send({ id, result: await ACTIONS[action](options) })
  } catch (error) {
    process.send({ id, error: error.message })
  }
})
process.on('disconnect', () => process.exit(0))
