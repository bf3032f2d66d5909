import { writeFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeDaemon, seenOn } from '../../../test/support/ownDaemon.ts'
import { screenWith } from '../../../test/support/screen/feed.ts'
import { makeFolder } from '../../../test/support/store.ts'
import { asleep, live, runId, terminalId } from '../../../test/support/terminals.ts'
import { checkpointOf, empty, entry, placed } from '../../../test/support/workspaces.ts'
import type { Snapshot } from '../../screen/snapshot/snapshot.ts'
import { encodeSnapshot } from '../../screen/snapshot/snapshotBytes.ts'
import { blake3 } from '../../store/blake3.ts'
import { type Exported, encodeExport } from '../../store/exportFile.ts'
import type { CheckpointTerminal } from '../../workspace/checkpoint/checkpoint.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Client } from '../clients/handler.ts'
import type { Daemon } from '../compose.ts'
import { wakeTerminal } from '../handlers/terminal.wake.ts'
import { exchangeHandlers } from '../handlers/workspace.exchange.ts'
import { planWakesAfter } from '../life/recovery.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01'
const HOST = { machine: 'm', boot: '', name: 'their-laptop' }
const FUTURE = Date.now() + 3_600_000

function fileOf(entries: readonly CheckpointTerminal[], screens: Exported['screens'] = new Map()): string {
  const topology = placed(...entries.map(({ terminal }) => terminal))
  const file = `${makeFolder()}/desk.holdfast`
  writeFileSync(file, encodeExport({ checkpoint: checkpointOf({ topology, terminals: entries }), host: HOST, screens }))
  return file
}

const importInto = (daemon: Daemon, file: string) => exchangeHandlers['workspace.import'](daemon, { file, planOnly: false }, {} as Client)

const EVIL_SPEC = {
  command: '/bin/sh',
  args: ['-c', 'touch /tmp/owned'],
  cwd: '/tmp',
  env: { LD_PRELOAD: '/tmp/evil.so', BASH_ENV: '/tmp/evil.sh' },
  size: { cols: 80, rows: 24 },
}

const evil: readonly Terminal[] = [
  asleep({ id: terminalId(1), spec: EVIL_SPEC, onRestore: 'wake', because: { kind: 'lost' }, since: FUTURE }),
  live({ id: terminalId(2), run: runId(2), spec: EVIL_SPEC, onRestore: 'wake' }),
  asleep({
    id: terminalId(3),
    because: { kind: 'lost' },
    since: FUTURE,
    onRestore: 'wake',
    restore: {
      kind: 'conversation',
      agent: 'claude',
      id: ID,
      provenance: 'hook',
      argv: ['/tmp/evil', '--resume', ID],
      env: { CLAUDE_CONFIG_DIR: '/tmp/evil', NODE_OPTIONS: '--require /tmp/evil.js' },
    },
  }),
  asleep({
    id: terminalId(4),
    spec: { ...EVIL_SPEC, backend: { kind: 'guest', socket: '/tmp/evil.sock', pane: '%1', pid: 1, session: 'x' } },
    because: { kind: 'lost' },
    since: FUTURE,
  }),
]

test('an imported file starts nothing by itself, whatever it says and whatever the policy is', async () => {
  const daemon = await makeDaemon(empty)
  Object.assign(daemon.settings, { config: { ...daemon.config, restore: { ...daemon.config.restore, policy: 'all' } } })
  expect(await importInto(daemon, fileOf(evil.map((terminal) => entry(terminal))))).toMatchObject({ ok: true })
  const all = daemon.registry.all()
  expect(all).toHaveLength(4)
  for (const terminal of all)
    expect(terminal).toMatchObject({
      ...{ state: 'asleep', because: { kind: 'slept' }, onRestore: 'sleep', spec: { env: {} } },
      imported: { from: 'their-laptop' },
    })
  expect(all.some(({ spec }) => 'backend' in spec)).toBe(false)
  expect(all.every((terminal) => terminal.state === 'asleep' && terminal.since <= Date.now())).toBe(true)
  expect(JSON.stringify(all)).not.toMatch(/LD_PRELOAD|BASH_ENV|NODE_OPTIONS|evil\.sock|\/tmp\/evil"/)
  expect((await planWakesAfter(daemon, 0)).wakes).toEqual([])
  for (const { id } of all) {
    daemon.react(id, { kind: 'wakeAsked', run: daemon.makeRunId(), mode: 'resume' })
    await daemon.registry.quiet(id, 1_000)
    expect(daemon.registry.get(id)).toMatchObject({ state: 'asleep', because: { kind: 'slept' } })
    expect(await wakeTerminal(daemon, { terminal: id }, {} as Client)).toMatchObject({
      ok: false,
      refusal: { code: 'imported-unconfirmed' },
    })
  }
})

test('the plan of an import names the whole command and directory of every terminal', async () => {
  const daemon = await makeDaemon(empty)
  const planned = await exchangeHandlers['workspace.import'](
    daemon,
    { file: fileOf(evil.map((terminal) => entry(terminal))), planOnly: true },
    {} as Client,
  )
  if (!planned.ok) throw new Error(planned.refusal.message)
  const { plan } = planned.result
  expect(plan.steps[0]?.start).toEqual({ command: "/bin/sh -c 'touch /tmp/owned'", directory: '/tmp', environment: {} })
  expect(plan.lines.join('\n')).toContain("command      /bin/sh -c 'touch /tmp/owned'")
  expect(daemon.registry.all()).toEqual([])
})

test('once confirmed, the wake goes ahead and is not asked about again', async () => {
  const daemon = await makeDaemon(empty)
  const spec = { ...EVIL_SPEC, args: [] }
  await importInto(daemon, fileOf([entry(asleep({ id: terminalId(1), spec }))]))
  const [terminal] = daemon.registry.all()
  // There is no holder to be started here: so it fails, but it was let through.
  const woken = await wakeTerminal(daemon, { terminal: terminal?.id ?? '', confirmed: true }, {} as Client)
  expect(woken).toMatchObject({ ok: false, refusal: { code: 'start-failed' } })
  expect(daemon.registry.all()[0]?.imported).toBeUndefined()
  expect(await wakeTerminal(daemon, { terminal: terminal?.id ?? '' }, {} as Client)).toMatchObject({ refusal: { code: 'start-failed' } })
})

test('a control character in a cell of an imported screen is not shown by anything', async () => {
  const snapshot = (await screenWith('harmless \x1b[31mred\x1b[m')).snapshot()
  const patch = { row: 0, cells: 80, wrapped: false, runs: [[0, 0, 0, null, [(1 << 22) | 0x1b, (1 << 22) | 0x63]]] } as const
  const pictures = [snapshot, { ...snapshot, patches: { normal: [patch], alternate: [] } } as Snapshot].map(encodeSnapshot)
  const screens = new Map(pictures.map((bytes) => [blake3(bytes), bytes]))
  const entries = [...screens.keys()].map((hash, index) => {
    const terminal = asleep({ id: terminalId(index + 1), lastRun: runId(index + 1) })
    return entry(terminal, { screen: { run: runId(index + 1), seq: snapshot.seq, hash } })
  })
  const daemon = await makeDaemon(empty)
  expect(await importInto(daemon, fileOf(entries, screens))).toMatchObject({ ok: true })
  expect(await seenOn(daemon, terminalId(1))).toBe('harmless red')
  expect((await seenOn(daemon, terminalId(2))) ?? '').not.toContain('\x1b')
})

/** A right checksum over any manifest. */
function forged(manifest: string, unpacked = 4 + Buffer.byteLength(manifest)): string {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(manifest))
  const head = Buffer.alloc(20)
  head.write('HFEXPORT')
  head.writeUInt32BE(1, 8)
  head.writeBigUInt64BE(BigInt(unpacked), 12)
  const packed = brotliCompressSync(Buffer.concat([length, Buffer.from(manifest)]), { params: { 1: 1 } })
  const file = `${makeFolder()}/forged.holdfast`
  writeFileSync(file, Buffer.concat([head, Buffer.from(blake3(Buffer.concat([head.subarray(8), packed])), 'hex'), packed]))
  return file
}

test('a file that is huge, deep or has too much of something is refused in a sentence, and the daemon answers meanwhile', async () => {
  const daemon = await makeDaemon(empty)
  const depth = 200_000
  const refusals: [string, string][] = [
    [JSON.stringify({ checkpoint: {}, junk: 'x'.repeat(17 << 20) }), 'its manifest is too large'],
    [`{"checkpoint":${'['.repeat(depth)}${']'.repeat(depth)}}`, 'nested more than 64 deep'],
    [JSON.stringify({ checkpoint: { terminals: Array.from({ length: 3_000 }, () => 0) } }), 'more than 2000 terminals'],
    [JSON.stringify({ checkpoint: { topology: { groups: Array.from({ length: 3_000 }, () => ({})) } } }), 'more than 2000 groups'],
    [JSON.stringify({ checkpoint: null }), 'its checkpoint cannot be read'],
    ['null', 'its checkpoint cannot be read'],
    ['[', 'it cannot be unpacked'],
  ]
  for (const [manifest, why] of refusals) {
    let turns = 0
    const ticking = setInterval(() => turns++, 1)
    const answer = await importInto(daemon, forged(manifest))
    clearInterval(ticking)
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'import-unusable', message: expect.stringContaining(why) as string } })
    expect(turns, 'the main thread went on').toBeGreaterThan(5)
  }
  expect(daemon.registry.all()).toEqual([])
})
