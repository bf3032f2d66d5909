import type { Agent } from '../../agents/agent.ts'
import { hookPayload } from '../../agents/hooks/hookEvent.ts'
import { ageText } from '../../base/format.ts'
import { done } from '../../base/refusal.ts'
import type { AgentLogEntry } from '../../wire/commands/agent.ts'
import { commandText } from '../../workspace/command/commandText.ts'
import { print, showTable } from '../core/answers.ts'
import { EXIT } from '../core/exit.ts'
import { loadConfig } from '../core/loadConfig.ts'
import type { Cli, Verb } from '../core/verb.ts'
import { HOOK_AGENTS } from '../hooks/hooks.ts'
import { type Column, tableText } from '../text/table.ts'
import { hooks } from './agentHooks.ts'

/** `resume` and `latest` are command lines for people; null where the agent cannot do that. */
type Known = {
  readonly agent: string
  readonly label: string
  readonly resume: string | null
  readonly latest: string | null
  readonly hooks: boolean
}

const COLUMNS: readonly Column<Known>[] = [
  { title: 'AGENT', text: ({ agent }) => agent, tone: 'bold' },
  { title: 'NAME', text: ({ label }) => label },
  {
    title: 'RESUMED BY',
    text: ({ resume, latest }) => resume ?? latest ?? 'started fresh',
    tone: ({ resume }) => (resume === null ? 'dim' : 'plain'),
    shrinks: true,
  },
  { title: 'HOOKS', text: (known) => (known.hooks ? 'yes' : ''), tone: 'dim' },
]

const ls: Verb = {
  name: 'ls',
  summary: 'List the known agents and how each one is resumed.',
  details: ['Any other program runs too. To define another agent, add [agents.NAME] to config.toml.'],
  example: ['holdfast agent ls', 'holdfast agent ls --json'],
  run: async (cli) => {
    const { config } = await loadConfig(cli.paths.config)
    return await print(cli, config.agents.map(knownOf), (rows) => tableText(rows, COLUMNS, cli))
  },
}

function knownOf({ id, label, recognise, resume, latest }: Agent): Known {
  const program = recognise.names[0] ?? id
  return {
    agent: id,
    label,
    resume: resume === null ? null : commandText(program, resume('ID')),
    latest: latest === null ? null : commandText(program, latest),
    hooks: HOOK_AGENTS.includes(id),
  }
}

const log: Verb = {
  name: 'log',
  summary: 'Show how a terminal’s agents were detected, newest first.',
  operands: '<id>',
  example: ['holdfast agent log api', "holdfast agent log api --json | jq -r '.[0].id'"],
  run: (cli, input) =>
    showTable(cli, cli.ask('agent.log', { terminal: input.operands[0] ?? '' }), {
      columns: logColumns(Date.now()),
      none: 'No agent has been seen in this terminal.',
    }),
}

const logColumns = (now: number): readonly Column<AgentLogEntry>[] => [
  { title: 'AGE', text: ({ at }) => ageText(now - at), tone: 'dim' },
  { title: 'EVENT', text: ({ event }) => event, tone: ({ event }) => (event === 'reject' || event === 'mismatch' ? 'warn' : 'bold') },
  { title: 'AGENT', text: ({ agent }) => agent },
  { title: 'CONVERSATION', text: ({ id }) => id ?? '' },
  { title: 'FROM', text: ({ provenance }) => provenance ?? '' },
  { title: 'WHY', text: ({ why }) => why, shrinks: true },
]

const READ_WITHIN_MS = 1_000
const READ_AT_MOST = 4 << 20 // bytes: some agents send the whole output of a tool
/** The agent waits for its hook: a hook that takes longer reports nothing. */
const DONE_WITHIN_MS = 3_000

/** Run by the agents' hooks. It starts no daemon, and hides every failure from the agent. */
const report: Verb = {
  name: 'report',
  summary: 'Report a hook event, read from standard input.',
  operands: '<agent>',
  hidden: true,
  options: [{ flags: '--event <name>', help: 'name of the event' }],
  example: ['holdfast agent report claude --event Stop < payload.json'],
  run: async (cli, input) => {
    const late = setTimeout(() => process.exit(EXIT.done), DONE_WITHIN_MS)
    const terminal = cli.env['HOLDFAST_TERMINAL_ID'] ?? ''
    const [text, daemon] = await Promise.all([standardInput(cli), terminal === '' ? null : cli.asProgram()])
    const event = input.text('event') ?? ''
    const told = { terminal, agent: input.operands[0] ?? '', event, payload: hookPayload(jsonIn(text)), reporter: { pid: process.pid } }
    const answer = daemon?.ok === true ? await daemon.value.request('agent.report', told) : null
    clearTimeout(late)
    if (cli.isJson) cli.printJson(answer === null ? null : answer.ok ? answer.value.result : { refusal: answer.refusal })
    return done(EXIT.done)
  },
}

function standardInput({ stdin }: Pick<Cli, 'stdin'>): Promise<string> {
  if (stdin.isTTY === true) return Promise.resolve('')
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let size = 0
    const finish = (): void => {
      clearTimeout(timer)
      stdin.destroy()
      resolve(Buffer.concat(pieces).toString('utf8'))
    }
    const timer = setTimeout(finish, READ_WITHIN_MS)
    stdin.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= READ_AT_MOST) pieces.push(piece)
    })
    stdin.once('end', finish)
    stdin.once('error', finish)
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // a version of the agent with another format: the name of the event is reported without it
  }
}

export const verb: Verb = {
  name: 'agent',
  summary: 'List agents, explain their detection, manage their hooks.',
  example: ['holdfast agent ls', 'holdfast agent log api', 'holdfast agent hooks install claude'],
  verbs: [ls, log, hooks, report],
}
