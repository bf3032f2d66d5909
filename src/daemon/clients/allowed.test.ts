/** Every command, asked by a peer of every capability over a real socket. The rows of docs/capabilities.md are these. */
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type CapabilityName,
  capabilityNamed,
  daemonWithPrograms,
  openDoor,
  samplesFor,
  twoTerminals,
} from '../../../test/support/peers.ts'
import { buildHolder } from '../../../test/support/realHolder.ts'
import type { DaemonClient } from '../../client/daemonClient.ts'
import { COMMANDS, type CommandName, type Params } from '../../wire/commands/commands.ts'
import { covers } from './allowed.ts'

const PAGE = fileURLToPath(new URL('../../../docs/capabilities.md', import.meta.url))
/** `npm run capabilities` says so: the table is written then, and compared otherwise. */
const isWritten = process.env['CAPABILITIES_WRITE'] === '1'
const NAMES = Object.keys(COMMANDS) as CommandName[]
const LIMITED = ['view', 'report', 'read', 'send'] as const satisfies readonly CapabilityName[]
/** These end or replace what the others are asked about. */
const LAST: readonly CommandName[] = ['terminal.sleep', 'terminal.close', 'restore.apply', 'workspace.startOver', 'daemon.stop']
const inOrder = [...NAMES.filter((name) => !LAST.includes(name)), ...LAST]

beforeAll(() => buildHolder())

/** The code of the refusal, or null where it was done. */
async function ask(client: DaemonClient, command: CommandName, params: object): Promise<string | null> {
  const answer = await client.request(command, params as Params<CommandName>)
  return answer.ok ? null : answer.refusal.code
}

describe('a capability', () => {
  test('covers exactly the commands of docs/capabilities.md, asked by a real peer of each', { timeout: 60_000 }, async () => {
    const daemon = await daemonWithPrograms()
    const { own } = await twoTerminals(daemon)
    const samples = samplesFor(daemon, own.id)
    const may: Record<string, Record<string, boolean>> = {}
    const access: Record<string, readonly string[]> = {}
    // Those that change nothing for anybody come first: everything is still there when they ask.
    for (const capability of [...LIMITED, 'everything'] as const) {
      const { client } = await openDoor(daemon, capabilityNamed(capability, own.id))
      const all = await client.request('watch', {})
      if (all.ok && all.value.result.access !== undefined) access[capability] = all.value.result.access.commands
      for (const command of inOrder) {
        const code = await ask(client, command, samples[command])
        may[command] = { ...may[command], [capability]: code !== 'may-not' }
        if (capability !== 'everything' && code !== 'may-not')
          expect(code, `${command} by ${capability}`).toBe(command === 'device.logOut' ? 'page-off' : null) // these peers are no browsers
      }
    }
    const table = tableOf(may)
    for (const [capability, told] of Object.entries(access))
      expect(told.toSorted(), `what a peer that may ${capability} is told`).toEqual(
        NAMES.filter((name) => may[name]?.[capability]).toSorted(),
      )
    expect(Object.keys(access)).toEqual(['view', 'read', 'send']) // one that only reports may not watch, and one with everything is told nothing
    const page = readFileSync(PAGE, 'utf8')
    const [, before = '', , after = ''] = /^(.*<!-- table -->\n)(.*)(<!-- end -->.*)$/s.exec(page) ?? []
    if (isWritten) writeFileSync(PAGE, before + table + after)
    expect(readFileSync(PAGE, 'utf8')).toBe(before + table + after)
  })

  test('is refused every terminal that it is not about, by id, name or beginning, as if there were none', { timeout: 60_000 }, async () => {
    const daemon = await daemonWithPrograms()
    const { own, foreign } = await twoTerminals(daemon)
    for (const name of LIMITED) {
      const { client } = await openDoor(daemon, capabilityNamed(name, own.id))
      const answers = new Map<string, string>()
      for (const ref of [foreign.id, 'bravo', foreign.id.slice(0, 6), 'nobody-has-this']) {
        const samples = samplesFor(daemon, ref)
        for (const command of NAMES.filter((each) => 'terminal' in samples[each])) {
          const answer = await client.request(command, samples[command] as Params<CommandName>)
          if (answer.ok) throw new Error(`${name} has done ${command} to ${ref}`)
          expect(['may-not', 'terminal-not-found'], `${name} ${command} ${ref}`).toContain(answer.refusal.code)
          const said = JSON.stringify(answer.refusal).replaceAll(ref, '…')
          expect(answers.get(command) ?? said, `${name} ${command}`).toBe(said)
          answers.set(command, said)
        }
      }
    }
  })

  test('that is not everything changes only the terminal of a program that reports or types, and logs itself out', () => {
    for (const capability of LIMITED) {
      const changing = NAMES.filter(
        (command) => COMMANDS[command].changes && covers(capabilityNamed(capability, 't'), COMMANDS[command].needs),
      )
      const wanted = {
        ...{ view: ['device.logOut'], report: ['agent.report'], read: ['agent.report', 'device.logOut'] },
        send: ['terminal.send', 'agent.report', 'device.logOut'],
      }
      expect(changing.toSorted(), capability).toEqual(wanted[capability].toSorted())
    }
  })

  test('that is not everything names terminals in one way only, which the check knows', () => {
    const shapes = NAMES.filter((command) => COMMANDS[command].needs !== 'everything').map((command) => ({
      command,
      refs: Object.entries(COMMANDS[command].params.shape).flatMap(([key, schema]) => (key !== 'terminal' && isRef(schema) ? [key] : [])),
    }))
    expect(shapes.filter(({ refs }) => refs.length > 0)).toEqual([])
  })
})

const isRef = (schema: unknown): boolean => /id, unique beginning/.test((schema as { description?: string }).description ?? '')

function tableOf(may: Readonly<Record<string, Readonly<Record<string, boolean>>>>): string {
  const mark = (isAllowed: boolean | undefined): string => (isAllowed === true ? 'yes' : '–')
  const rows = NAMES.toSorted().map((command) => {
    const { view, report, read, send, everything } = may[command] ?? {}
    return `| \`${command}\` | ${COMMANDS[command].needs} | ${[report, read, send, view, everything].map(mark).join(' | ')} |`
  })
  return `| command | needs | program: report | program: read | program: send | view | everything |\n|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`
}
