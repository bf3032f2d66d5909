/**
 * Our screen and the bare engine behind it, in a process of their own that nothing has warmed up for the other side.
 * Driven by messages of probe.mjs.
 */
import { readFileSync } from 'node:fs'
import serializeAddon from '@xterm/addon-serialize'
import xterm from '@xterm/headless'
import { createScreen } from '../../build/screen/screen.js'
import { decodeSnapshot, encodeSnapshot } from '../../build/screen/snapshot/snapshotBytes.js'
import { answerAsks } from './answerAsks.mjs'

const CHUNK_BYTES = 64 << 10 // as a holder sends a flood
const WINDOW_CHUNKS = 16 // as many are under way before the daemon's screen is waited for

/** The names of both sides are the same: `feed` resolves once the bytes are parsed. */
const SIDES = {
  holdfast: (options) => {
    const screen = createScreen(options)
    return { feed: (bytes) => screen.feed(bytes), screen, dispose: () => screen.dispose() }
  },
  peer: (options) => {
    const terminal = new xterm.Terminal({ ...options, allowProposedApi: true, logLevel: 'off' })
    return { feed: (bytes) => new Promise((parsed) => terminal.write(bytes, parsed)), terminal, dispose: () => terminal.dispose() }
  },
}

async function feedAll({ feed }, bytes) {
  for (let from = 0; from < bytes.length; ) {
    const parsed = []
    for (let count = 0; count < WINDOW_CHUNKS && from < bytes.length; count += 1, from += CHUNK_BYTES)
      parsed.push(feed(bytes.subarray(from, from + CHUNK_BYTES)))
    await Promise.all(parsed)
  }
}

/**
 * Milliseconds of processor time for the whole file, after a first pass that lets the compiler do its work. Nothing is waited
 * for here, so that the time of other programs on a busy machine need not count.
 */
async function feed({ side, path, size, scrollback }) {
  const bytes = readFileSync(path)
  const fed = SIDES[side]({ ...size, scrollback })
  await feedAll(fed, bytes.subarray(0, bytes.length >> 2))
  const before = process.cpuUsage()
  await feedAll(fed, bytes)
  const { user, system } = process.cpuUsage(before)
  fed.dispose()
  return { ms: (user + system) / 1_000 }
}

/** What a snapshot costs on one side, `repeats` times: milliseconds of each step. */
async function snapshot({ side, path, size, history, repeats }) {
  const options = { ...size, scrollback: history }
  const source = SIDES[side](options)
  await feedAll(source, readFileSync(path))
  const steps = side === 'holdfast' ? ourSteps(source.screen, history) : stockSteps(source.terminal, history)
  const times = { take: [], encode: [], restore: [], bytes: 0 }
  for (let index = 0; index < repeats; index += 1) {
    await source.feed(Buffer.from('\x1b[m')) // something new, so that nothing remembered is given
    const taken = timed(times.take, steps.take)
    const encoded = timed(times.encode, () => steps.encode(taken))
    times.bytes = encoded.length
    const began = performance.now()
    const restored = SIDES[side](options)
    await steps.restore(restored, encoded)
    times.restore.push(performance.now() - began)
    restored.dispose()
  }
  source.dispose()
  return times
}

const ourSteps = (screen, history) => ({
  take: () => screen.snapshot({ history }),
  encode: (taken) => encodeSnapshot(taken),
  restore: (restored, encoded) => restored.screen.restore(decodeSnapshot(encoded)),
})

function stockSteps(terminal, history) {
  const addon = new serializeAddon.SerializeAddon()
  terminal.loadAddon(addon)
  return {
    take: () => addon.serialize({ scrollback: history }),
    encode: (taken) => Buffer.from(taken),
    restore: (restored, encoded) => restored.feed(encoded),
  }
}

function timed(list, act) {
  const began = performance.now()
  const result = act()
  list.push(performance.now() - began)
  return result
}

answerAsks({ feed, snapshot })
