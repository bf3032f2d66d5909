/** What a limited peer learns of other terminals, and what it does to them: nothing, whatever it asks. */
import { readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { capabilityNamed, daemonWithPrograms, openDoor, samplesFor, twoTerminals } from '../../../test/support/peers.ts'
import { buildHolder } from '../../../test/support/realHolder.ts'
import type { DaemonClient } from '../../client/daemonClient.ts'
import { type Capability, EVERYTHING } from '../../wire/capability.ts'
import { COMMANDS, type CommandName, type Params } from '../../wire/commands/commands.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Daemon } from '../compose.ts'
import { receiveOn } from '../files/keptFiles.ts'
import { drawStillOf } from '../handlers/still.ts'

beforeAll(() => buildHolder())

const RGB = [0, 0, 0] as const
const LOOK = {
  theme: { foreground: RGB, background: RGB, ansi: Array.from({ length: 16 }, () => RGB) },
  ...{ contrast: 1, font: 'monospace', fontSize: 12, cell: { width: 8, height: 16 }, baseline: 12 },
}

/** Everything by which the terminal could be known. */
const tracesOf = ({ id, run }: TerminalView): readonly string[] => [id, run ?? '', 'bravo']

function expectNoTrace(heard: Buffer, foreign: TerminalView): void {
  for (const trace of tracesOf(foreign)) expect(heard.includes(trace), trace).toBe(false)
}

async function must<Name extends CommandName>(client: DaemonClient, command: Name, params: Params<Name>) {
  const answer = await client.request(command, params)
  if (!answer.ok) throw new Error(`${command}: ${answer.refusal.message}`)
  return answer.value.result
}

describe('a peer that sees one terminal', () => {
  test('hears no byte, id, name or title of another one in any answer', { timeout: 60_000 }, async () => {
    const daemon = await daemonWithPrograms()
    const { own, foreign } = await twoTerminals(daemon)
    for (const name of ['view', 'read', 'send'] as const) {
      const { client, heard } = await openDoor(daemon, capabilityNamed(name, own.id))
      // Where no terminal is named, all that it sees are meant; the beginning fits both.
      for (const ref of [own.id, 't', undefined]) {
        const samples = samplesFor(daemon, ref ?? own.id)
        for (const command of Object.keys(COMMANDS) as CommandName[]) {
          const params = ref === undefined ? { ...samples[command], terminal: undefined } : samples[command]
          await client.request(command, params as Params<CommandName>)
        }
      }
      for (const trace of [own.id, 'alpha-output', 'alpha-title']) expect(heard().includes(trace), `${name} ${trace}`).toBe(true)
      expectNoTrace(heard(), foreign)
    }
  })

  test('finds by searching what is in its terminal, and neither counts nor waits for another one', async () => {
    const daemon = await daemonWithPrograms()
    daemon.indexer.start()
    const { own, foreign } = await twoTerminals(daemon)
    const all = await openDoor(daemon, EVERYTHING)
    const viewer = await openDoor(daemon, capabilityNamed('view', own.id))
    const query = { query: 'output', limit: 1, context: 0 }
    const both = await must(all.client, 'search.query', { ...query, limit: 10 })
    expect(new Set(both.hits.map(({ terminal }) => terminal))).toEqual(new Set([own.id, foreign.id]))
    const seen = await must(viewer.client, 'search.query', query)
    expect(seen).toMatchObject({ hits: [{ terminal: own.id, line: 'alpha-output' }], more: false, terminals: [{ id: own.id }] })
    const none = await must(viewer.client, 'search.query', { ...query, query: 'bravo' })
    expect(none).toEqual({ hits: [], more: false, pending: [], terminals: [] })
  })

  test('is told of no event of another one, and of none of the workspace that does not concern it', { timeout: 60_000 }, async () => {
    const daemon = await daemonWithPrograms()
    const { own, foreign } = await twoTerminals(daemon)
    const all = await openDoor(daemon, EVERYTHING)
    const viewer = await openDoor(daemon, capabilityNamed('view', own.id))
    const events: DaemonEvent[] = []
    const told: DaemonEvent[] = []
    await new Promise<void>((resolve) => {
      viewer.client.watch({ onAll: () => resolve(), onEvent: (event) => events.push(event) })
    })
    all.client.watch({ onAll: () => undefined, onEvent: (event) => told.push(event) })
    events.length = 0
    await must(all.client, 'terminal.look', { terminal: foreign.id, size: { cols: 44, rows: 11 }, lead: 'yes' })
    await must(all.client, 'terminal.rename', { terminal: foreign.id, name: 'bravo-two' })
    await must(all.client, 'terminal.send', { terminal: foreign.id, text: 'bravo-typed', enter: true })
    await must(all.client, 'layout.zoom', { terminal: foreign.id, zoomed: true })
    await must(all.client, 'workspace.new', { name: 'bravo-workspace' })
    await must(all.client, 'terminal.move', { terminal: foreign.id, to: 'bravo-workspace' })
    await must(all.client, 'dock.move', { terminal: foreign.id, index: 0 })
    await must(all.client, 'health.show', { check: true })
    await must(all.client, 'terminal.close', { terminal: foreign.id })
    await until(() => told.some(({ kind }) => kind === 'closed'), { what: 'the others to be told' })
    // Of its own terminal it is told, after all that.
    await must(all.client, 'terminal.rename', { terminal: own.id, name: 'alpha-two' })
    await until(() => events.some((event) => event.kind === 'terminal' && event.terminal.name === 'alpha-two'), { what: 'its own event' })
    expect(events.filter((event) => event.kind !== 'terminal' || event.terminal.id !== own.id)).toEqual([])
    expectNoTrace(viewer.heard(), foreign)
  })

  test('does not learn who else is connected', async () => {
    const daemon = await daemonWithPrograms()
    const { own } = await twoTerminals(daemon)
    const all = await openDoor(daemon, EVERYTHING)
    const viewer = await openDoor(daemon, capabilityNamed('view', own.id))
    const look = await must(all.client, 'terminal.look', { terminal: own.id, size: { cols: 44, rows: 11 }, lead: 'yes' })
    expect(look.terminal.sizedBy.kind).toBe('client')
    const [seen] = await must(viewer.client, 'terminal.list', {})
    expect(seen).toMatchObject({ id: own.id, sizedBy: { kind: 'nobody' } })
  })

  test('gets the picture of its terminal and of no other, and uploads nothing', async () => {
    const daemon = await daemonWithPrograms()
    const { own, foreign } = await twoTerminals(daemon)
    const view = capabilityNamed('view', own.id)
    const still = (terminal: string, capability: Capability, checkpoint: string | null = null) =>
      drawStillOf(daemon, { terminal, run: null, checkpoint, look: LOOK, capability })
    expect(await still(own.id, view)).toMatchObject({ ok: true, value: expect.stringContaining('alpha-output') })
    expect(await still(foreign.id, EVERYTHING)).toMatchObject({ ok: true, value: expect.stringContaining('bravo-output') })
    for (const ref of [foreign.id, 'bravo', foreign.id.slice(0, 6)])
      expect(await still(ref, view), ref).toMatchObject({ ok: false, refusal: { code: 'terminal-not-found' } })
    expect(await still(own.id, view, 'latest')).toMatchObject({ ok: false, refusal: { code: 'may-not' } })
    const upload = { name: 'n', bytes: 1, body: Readable.from([Buffer.from('x')]) }
    expect(await receiveOn(daemon, { ...upload, terminal: own.id }, view)).toMatchObject({ ok: false, refusal: { code: 'may-not' } })
    expect(await receiveOn(daemon, { ...upload, terminal: own.id }, EVERYTHING)).toMatchObject({ ok: true })
    const program = capabilityNamed('send', own.id)
    expect(await receiveOn(daemon, { ...upload, terminal: foreign.id }, program)).toMatchObject({ ok: false, refusal: { code: 'may-not' } })
  })

  test('types only if it may send, and takes no lead by trying', async () => {
    const daemon = await daemonWithPrograms()
    const { own } = await twoTerminals(daemon)
    const all = await openDoor(daemon, EVERYTHING)
    for (const name of ['view', 'read', 'send'] as const) {
      const { client } = await openDoor(daemon, capabilityNamed(name, own.id))
      const { channel } = await must(client, 'terminal.open', { terminal: own.id, window: 65_536 })
      expect(channel).not.toBe(null)
      // What is typed is behind the request, in order; the answer to the next request is behind it.
      ;(client as unknown as { send(message: object): void }).send({ kind: 'input', channel, bytes: Buffer.from(`typed-by-${name}\r`) })
      await must(client, 'terminal.list', {})
    }
    await must(all.client, 'terminal.wait', { terminal: own.id, until: { kind: 'text', pattern: 'typed-by-send' }, timeoutMs: 15_000 })
    const { content } = await must(all.client, 'terminal.read', { terminal: own.id, history: 'all', format: 'text' })
    expect(content).not.toMatch(/typed-by-(view|read)/)
  })
})

/** What a user would notice of a terminal, of what is kept of it, and of where it stands. */
async function stateOf(daemon: Daemon, { id }: TerminalView): Promise<string> {
  const terminal = daemon.registry.get(id as never)
  const run = terminal === null ? null : await daemon.runScreens.showable(terminal)
  const screen = run === null ? null : await daemon.screens.read(run, { history: 'all', format: 'text' })
  const { topology, config } = daemon
  const runs = readdirSync(daemon.paths.runs).sort()
  return JSON.stringify({
    terminal,
    screen: screen?.content,
    topology,
    may: config.programs,
    runs,
    clients: daemon.sizes.sizedBy(id as never),
  })
}

test('whatever a program or a viewer asks, another terminal stays as it is', { timeout: 120_000 }, async () => {
  const daemon = await daemonWithPrograms()
  const { own, foreign } = await twoTerminals(daemon)
  const peers = await Promise.all(
    (['view', 'report', 'read', 'send'] as const).map((name) => openDoor(daemon, capabilityNamed(name, own.id))),
  )
  await must(peers[3]?.client as DaemonClient, 'terminal.list', {}) // whoever has the keyboard is known from then on
  const refs = [foreign.id, 'bravo', foreign.id.slice(0, 6), own.id, 'alpha', 't', '', '__proto__']
  const arbitraryRequest = fc.record({
    peer: fc.constantFrom(...peers),
    command: fc.constantFrom(...(Object.keys(COMMANDS) as CommandName[])),
    ref: fc.constantFrom(...refs),
    more: fc.dictionary(
      fc.constantFrom('terminal', 'workspace', 'beside', 'to', 'force', 'x'),
      fc.oneof(fc.constantFrom(...refs), fc.jsonValue()),
    ),
    channel: fc.integer({ min: 0, max: 4 }),
  })
  const before = await stateOf(daemon, foreign)
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryRequest, { minLength: 1, maxLength: 20 }), async (requests) => {
      await Promise.all(
        requests.map(({ peer: { client }, command, ref, more, channel }) => {
          const params = { ...samplesFor(daemon, ref)[command], ...(command === 'terminal.wait' ? {} : more) }
          ;(client as unknown as { send(message: object): void }).send({ kind: 'input', channel, bytes: Buffer.from('y') })
          return client.request(command, params as Params<CommandName>)
        }),
      )
      expect(await stateOf(daemon, foreign)).toBe(before)
    }),
    { numRuns: 40 },
  )
  // Its id and name they have named themselves.
  for (const { heard } of peers)
    for (const trace of [foreign.run ?? '', 'bravo-output', 'bravo-title', 'bravo-directory'])
      expect(heard().includes(trace), trace).toBe(false)
})
