/**
 * The page without its pixels, as a process of its own: logs in as a browser does, speaks the daemon's protocol over the
 * WebSocket, types, and measures when the answer is there. Driven by messages of probe.mjs.
 */
import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { proveLink } from '../../build/client/deviceLink.js'
import { DAEMON_PROTOCOL, decodeFromDaemon, encodeToDaemon, fromMessage, toMessage } from '../../build/wire/daemon.js'
import { answerAsks } from './answerAsks.mjs'

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
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = JSON.stringify({ token: hash.slice(1), key: pointOf(publicKey) })
  const reply = await fetch(`${origin}/api/login`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`the login was refused: ${reply.status} ${await reply.text()}`)
  const { device, daemon } = await reply.json()
  const daemonKey = keyOf(daemon)
  const own = {
    device,
    sign: async (statement) => sign('sha256', Buffer.from(statement), { key: privateKey, ...ENCODING }).toString('base64url'),
    isSignedByDaemon: async (statement, signature) =>
      verify('sha256', Buffer.from(statement), { key: daemonKey, ...ENCODING }, Buffer.from(signature, 'base64url')),
  }
  socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { origin, perMessageDeflate: false })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const hear = () => new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))
  const here = { origin, nonce: randomBytes(32).toString('base64url'), onProved: () => undefined }
  await proveLink({ say: (text) => socket.send(text), hear }, own, here)
  socket.on('message', (data) => take(decodeFromDaemon(fromMessage(data))))
  const hello = new Promise((resolve) => answers.set('hello', resolve))
  send({ kind: 'hello', protocol: DAEMON_PROTOCOL, version: 'bench', who: 'bench' })
  await hello
  return null
}

const ENCODING = { dsaEncoding: 'ieee-p1363' }

function pointOf(key) {
  const { x, y } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
}

function keyOf(point) {
  const bytes = Buffer.from(point, 'base64url')
  const part = (from) => bytes.subarray(from, from + 32).toString('base64url')
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: part(1), y: part(33) }, format: 'jwk' })
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

answerAsks({ logIn, show, keys })
