/**
 * What a checkpoint of 50 terminals costs, part by part: the canonical form of the layout and of a terminal, the hash,
 * the transaction with its syncs, and loading it again. Only the store is measured; no daemon runs.
 */
import { randomBytes } from 'node:crypto'
import { makeId } from '../../build/base/ids.js'
import { SeenPrograms } from '../../build/daemon/terminals/seen.js'
import { blake3 } from '../../build/store/blake3.js'
import { openStore } from '../../build/store/thread/openStore.js'
import { agentOf, canonicalEntry, canonicalForm } from '../../build/workspace/checkpoint/checkpoint.js'
import { emptyTopology, placeTerminal } from '../../build/workspace/layout/topology.js'

const TERMINALS = 50
const SCREEN_LINES = 60
const WARM_UPS = 20

export const limitS = 60

export async function measure(lab, { quick, say }) {
  const rounds = quick ? 20 : 100
  say(`checkpoint: ${TERMINALS} terminals, ${rounds} times`)
  const state = workspace()
  const opened = await openStore({ file: lab.path('holdfast.db'), now: Date.now })
  if (!opened.ok) throw new Error(opened.refusal.message)
  const store = opened.value
  const parts = { topology: [], terminal: [], hash: [], ...(await keepAndLoad(store, state, rounds)) }
  await store.close()
  for (let round = -WARM_UPS; round < rounds; round += 1) {
    const times = compute(state)
    if (round >= 0) for (const [part, value] of Object.entries(times)) parts[part].push(value)
  }
  const row = (part, label, unit) => ({ figure: `checkpoint.${part}`, label: `checkpoint: ${label}`, unit, holdfast: parts[part] })
  return [
    row('topology', `layout of ${TERMINALS} terminals`, 'ms'),
    row('terminal', 'one terminal', 'µs'),
    row('hash', 'hash', 'µs'),
    row('transaction', 'kept, synced', 'ms'),
    row('load', 'loaded and checked', 'ms'),
  ]
}

function workspace() {
  const id = (kind) => makeId(kind, randomBytes)
  const home = id('workspace')
  const entries = Array.from({ length: TERMINALS }, (_, n) => entry(id('terminal'), id('run'), n))
  const empty = emptyTopology({ group: id('group'), workspace: home })
  const place = (topology, { terminal }) => placeTerminal(topology, { terminal: terminal.id, workspace: home }).value
  const seen = new SeenPrograms()
  seen.remember(entries)
  return { topology: entries.reduce(place, empty), entries, seen }
}

function entry(id, run, n) {
  const spec = {
    command: 'claude',
    args: ['--model', 'opus'],
    cwd: `/home/ada/project-${n}`,
    env: { STAGE: 'test' },
    size: { cols: 120, rows: 40 },
  }
  const restore = {
    kind: 'conversation',
    agent: 'claude',
    id: `0b9f0c1e-${n}`,
    provenance: 'hook',
    argv: ['claude', '--resume', `0b9f0c1e-${n}`],
  }
  const kept = {
    ...{ id, name: `agent ${n}`, spec, lastRun: run, title: 'busy', theme: null, pinned: false, private: false },
    ...{ restore, onRestore: 'policy', created: n, touched: n },
  }
  const trial = { mode: 'fresh', previousRun: null, previousRestore: null }
  const seen = { pid: n, holderPid: n, link: { kind: 'connected' }, foreground: { pid: n, name: 'claude' }, agent: 'claude' }
  const env = { LANG: 'C.UTF-8', HOME: '/home/ada', PATH: '/usr/local/bin:/usr/bin', OPENAI_API_KEY: '[redacted]' }
  const agent = { agent: 'claude', conversation: restore.id, details: { model: 'opus' } }
  return { terminal: { ...kept, state: 'live', run, since: n, ...trial, ...seen }, cwd: spec.cwd, agent, env }
}

function compute({ topology, entries, seen }) {
  const began = performance.now()
  canonicalForm({ topology, terminals: [] })
  const placed = performance.now()
  const terminals = entries.map(({ terminal }) => ({ terminal, ...seen.of(terminal), agent: agentOf(terminal), screen: null }))
  for (const each of terminals) canonicalEntry(each)
  const written = performance.now()
  const text = canonicalForm({ topology, terminals })
  const formed = performance.now()
  blake3(text)
  return { topology: placed - began, terminal: ((written - placed) * 1_000) / TERMINALS, hash: (performance.now() - formed) * 1_000 }
}

async function keepAndLoad(store, { topology, entries }, rounds) {
  const session = await store.beginSession({ version: 'bench', host: { machine: '', boot: '', name: '' } })
  await Promise.all(entries.map(({ terminal }) => store.keepTerminal(terminal)))
  await Promise.all(entries.map(({ terminal }) => store.keepSnapshot(terminal.id, { run: terminal.run, seq: 1, bytes: screen() })))
  const times = { transaction: [], load: [] }
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    const { id } = await store.keepCheckpoint({ session, at: round, kind: 'manual', note: null, topology, terminals: entries, whole: true })
    const kept = performance.now()
    const loaded = await store.checkpoint(id)
    times.load.push(performance.now() - kept)
    times.transaction.push(kept - began)
    if (!loaded?.ok || loaded.checkpoint.terminals.length !== TERMINALS) throw new Error('a checkpoint did not come back')
    await store.pruneCheckpoints()
  }
  return times
}

const screen = () => Buffer.from(`${randomBytes(40).toString('hex')}\r\n`.repeat(SCREEN_LINES))
