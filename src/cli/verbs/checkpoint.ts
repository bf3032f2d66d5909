import { ageText, sizeText } from '../../base/format.ts'
import { done, type Result } from '../../base/refusal.ts'
import type { CheckpointSummaryView, CheckpointTerminalView, CheckpointView } from '../../wire/checkpointView.ts'
import { findCheckpoint } from '../../workspace/checkpoint/findCheckpoint.ts'
import { commandText } from '../../workspace/command/commandText.ts'
import { safeText } from '../../workspace/text.ts'
import { forEach, given, outcomeOf, print, show as showAnswer, showTable } from '../core/answers.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import { usage } from '../core/parse.ts'
import { confirm } from '../core/questions.ts'
import type { Cli, Verb } from '../core/verb.ts'
import { paletteFor } from '../text/color.ts'
import { becauseText, shortPath, timeText } from '../text/format.ts'
import { type Column, tableText } from '../text/table.ts'
import { FORMAT, RESTORE_OPTIONS, restoreCheckpoint, SAME_AS_FORMAT } from './restore.ts'

const ADDRESSES = ['Name a checkpoint by its id, a unique prefix of it, latest, or latest~1 (the one before).']

/** By default, a restore uses the newest good one. */
export const goodText = ({ knownGood, terminalCount }: Pick<CheckpointSummaryView, 'knownGood' | 'terminalCount'>): string =>
  knownGood ? 'good' : terminalCount === 0 ? 'empty' : 'not whole'

const NONE_YET = `No checkpoints yet. Holdfast saves them automatically; save one now:
  holdfast checkpoint create --note "before the upgrade"`

const ls: Verb = {
  name: 'ls',
  summary: 'List all checkpoints, newest first.',
  options: [FORMAT],
  json: SAME_AS_FORMAT,
  example: ['holdfast checkpoint ls', "holdfast checkpoint ls --json | jq -r '.[0].id'"],
  run: (cli) => showTable(cli, cli.ask('checkpoint.list', {}), { columns: listColumns(Date.now()), none: NONE_YET }),
}

const listColumns = (now: number): readonly Column<CheckpointSummaryView>[] => [
  { title: 'ID', text: ({ id }) => id, tone: 'bold' },
  { title: 'AGE', text: ({ at }) => ageText(now - at), tone: 'dim' },
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'TERMINALS', text: ({ terminalCount }) => String(terminalCount) },
  { title: 'SIZE', text: ({ bytes }) => sizeText(bytes) },
  { title: 'STATE', text: goodText, tone: ({ knownGood }) => (knownGood ? 'good' : 'warn') },
  { title: 'NOTE', text: ({ note }) => note ?? '', shrinks: true },
]

const FORMATS = ['text', 'ansi', 'html', 'json'] as const
type Format = (typeof FORMATS)[number]
const LONGEST_LINE = 1_000

const show: Verb = {
  name: 'show',
  summary: 'Show the contents of a checkpoint, or one of its screens.',
  operands: '<checkpoint>',
  completes: ['latest'],
  options: [
    { flags: '--screen <terminal>', help: 'print only the screen of this terminal' },
    { flags: '-f, --format <format>', help: 'output format (default: text); ansi and html need --screen', choices: FORMATS },
  ],
  json: SAME_AS_FORMAT,
  example: ['holdfast checkpoint show latest', 'holdfast checkpoint show latest~3 --screen api', 'holdfast checkpoint show c8f -f json'],
  details: [...ADDRESSES, 'Secrets in variables and arguments are not printed.'],
  run: async (cli, input) => {
    const checkpoint = input.operands[0] ?? ''
    const format = cli.isJson ? 'json' : (FORMATS.find((known) => known === input.text('format')) ?? 'text')
    const terminal = input.text('screen')
    if (terminal !== undefined) return await printScreen(cli, { checkpoint, terminal, format })
    if (format === 'ansi' || format === 'html') return usage(`--format ${format} needs --screen`)
    return await showAnswer(cli, cli.ask('checkpoint.show', { checkpoint }), (shown) => checkpointText(shown, cli))
  },
}

type Wanted = { readonly checkpoint: string; readonly terminal: string; readonly format: Format }

async function printScreen(cli: Cli, wanted: Wanted): Promise<Result<ExitCode>> {
  const read = await cli.ask('checkpoint.screen', wanted)
  if (!read.ok) return read
  const { content } = read.value.result
  cli.stdout.write(content.endsWith('\n') || content === '' ? content : `${content}\n`)
  return done(EXIT.done)
}

async function checkpointText(checkpoint: CheckpointView, cli: Cli): Promise<string> {
  const { bold } = paletteFor(cli)
  const { withProgram, asleep, screens } = checkpoint.counts
  const head = [
    `checkpoint ${bold(checkpoint.id)}, ${checkpoint.kind}, ${goodText(checkpoint)}`,
    `created    ${timeText(checkpoint.at)}`,
    ...(checkpoint.note === null ? [] : [`note       ${safeText(checkpoint.note, LONGEST_LINE)}`]),
    `holds      ${withProgram} with a program, ${asleep} asleep, ${screens === 1 ? '1 screen' : `${screens} screens`}, ${sizeText(checkpoint.bytes)}`,
  ]
  const parts = partsOf(checkpoint).map(async ({ title, terminals }) => {
    const table = terminals.length === 0 ? '  no terminals' : await tableText(terminals, terminalColumns(cli.env['HOME']), cli)
    return `${bold(safeText(title, LONGEST_LINE))}\n${table}`
  })
  return [head.join('\n'), ...(await Promise.all(parts))].join('\n\n')
}

type Part = { readonly title: string; readonly terminals: readonly CheckpointTerminalView[] }

/** One per workspace; terminals without one come last. */
function partsOf({ workspaces, terminals }: CheckpointView): readonly Part[] {
  const groups = new Set(workspaces.map(({ group }) => group))
  const parts = workspaces.map(({ name, group, terminals: ids }) => ({
    title: `workspace ${name}${groups.size > 1 ? ` (${group})` : ''}`,
    terminals: terminals.filter(({ id }) => ids.includes(id)),
  }))
  const placed = new Set(workspaces.flatMap((workspace) => workspace.terminals))
  const others = terminals.filter(({ id }) => !placed.has(id))
  return others.length === 0 ? parts : [...parts, { title: 'in no workspace', terminals: others }]
}

const terminalColumns = (home: string | undefined): readonly Column<CheckpointTerminalView>[] => [
  { title: 'ID', text: ({ id }) => id, tone: 'bold' },
  { title: 'NAME', text: ({ name }) => name ?? '', shrinks: true },
  { title: 'STATE', text: ({ state, because }) => (because === null ? state : `${state} (${becauseText(because)})`), shrinks: true },
  { title: 'COMMAND', text: ({ command, args }) => commandText(command, args), shrinks: true },
  { title: 'CWD', text: ({ cwd, startedIn }) => shortPath(cwd ?? startedIn, home), shrinks: true },
  {
    title: 'AGENT',
    text: ({ agent }) => (agent === null ? '' : `${agent.agent}${agent.conversation === null ? '' : ` ${agent.conversation}`}`),
    shrinks: true,
  },
  { title: 'SCREEN', text: ({ screen, size }) => (screen === null ? 'none' : `${size.cols}x${size.rows}`) },
]

const diff: Verb = {
  name: 'diff',
  summary: 'Compare a checkpoint with another one, or with now.',
  operands: '<from> [to]',
  completes: ['latest', 'now'],
  options: [FORMAT],
  json: SAME_AS_FORMAT,
  example: ['holdfast checkpoint diff latest', 'holdfast checkpoint diff latest~5 latest', 'holdfast checkpoint diff c8f now --json'],
  details: [...ADDRESSES, 'Without a second one, it is compared with now. + added, - removed, ~ changed.'],
  run: (cli, input) => {
    const [from = '', to = 'now'] = input.operands
    return showAnswer(cli, cli.ask('checkpoint.diff', { from, to }), async (sides) => {
      const { diffLines } = await import('../../workspace/checkpoint/checkpointDiffText.ts')
      const { good, bad, dim } = paletteFor(cli)
      const lines = diffLines(sides.diff).map((line) => (line.startsWith('+') ? good(line) : line.startsWith('-') ? bad(line) : line))
      return [dim(`${sides.from} → ${sides.to}`), ...lines].join('\n')
    })
  },
}

const create: Verb = {
  name: 'create',
  summary: 'Create a checkpoint of the whole workspace now.',
  options: [{ flags: '-n, --note <text>', help: 'note to show in the list' }, FORMAT],
  json: SAME_AS_FORMAT,
  example: ['holdfast checkpoint create', 'holdfast checkpoint create --note "before the upgrade"'],
  run: async (cli, input) => {
    const created = await cli.ask('checkpoint.create', given({ note: input.text('note') }))
    if (!created.ok) return created
    const checkpoint = created.value.result
    const printed = await print(cli, checkpoint, ({ id }) => id)
    if (!checkpoint.knownGood) cli.complain(`holdfast: it is ${goodText(checkpoint)}, so it is not the default of a restore`)
    return printed
  },
}

const deleteVerb: Verb = {
  name: 'delete',
  summary: 'Delete checkpoints.',
  operands: '<checkpoint...>',
  completes: ['latest'],
  options: [
    { flags: '-y, --yes', help: 'do not ask for confirmation' },
    { flags: '--force', help: 'delete even the newest good checkpoint' },
    FORMAT,
  ],
  json: SAME_AS_FORMAT,
  example: ['holdfast checkpoint delete c8f', 'holdfast checkpoint delete --yes latest~3 latest~4'],
  details: ADDRESSES,
  run: async (cli, input) => {
    const listed = await cli.ask('checkpoint.list', {})
    if (!listed.ok) return listed
    // All are found before the first is deleted: latest~4 means another one after that.
    const found = input.operands.map((ref) => findCheckpoint(ref, listed.value.result))
    const missing = outcomeOf(found, cli)
    if (!missing.ok) return missing
    const chosen = new Map(found.flatMap((one) => (one.ok ? [[one.value.id, one.value] as const] : [])))
    const asks = !input.flag('yes') && cli.stdin.isTTY === true
    if (asks && !(await confirm(question([...chosen.values()], Date.now()), cli))) return done(EXIT.refused)
    const deleted: string[] = []
    const outcome = await forEach([...chosen.keys()], cli, async (checkpoint) => {
      const answer = await cli.ask('checkpoint.delete', { checkpoint, force: input.flag('force') })
      if (answer.ok) deleted.push(answer.value.result.id)
      return answer
    })
    if (cli.isJson) cli.printJson(deleted)
    return outcome
  },
}

function question(chosen: readonly CheckpointSummaryView[], now: number): string {
  const lines = chosen.map(({ id, kind, at, terminalCount }) => `  ${id}: ${kind}, ${ageText(now - at)} old, ${terminalCount} terminals`)
  return `Deleting cannot be undone:\n${lines.join('\n')}\nDelete ${chosen.length === 1 ? 'it' : 'them'}?`
}

const restore: Verb = {
  name: 'restore',
  summary: 'Restore a checkpoint (same as holdfast restore).',
  operands: '<checkpoint>',
  options: [...RESTORE_OPTIONS, FORMAT],
  json: SAME_AS_FORMAT,
  example: ['holdfast checkpoint restore latest~1 --plan'],
  run: restoreCheckpoint,
}

export const verb: Verb = {
  name: 'checkpoint',
  summary: 'List, show, compare, create, delete, restore checkpoints.',
  example: ['holdfast checkpoint ls', 'holdfast checkpoint show latest', 'holdfast checkpoint diff latest~1 now'],
  verbs: [ls, show, diff, create, deleteVerb, restore],
}
