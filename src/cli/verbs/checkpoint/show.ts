import { done, type Result } from '../../../base/refusal.ts'
import type { CheckpointTerminalView, CheckpointView } from '../../../wire/checkpointView.ts'
import { commandText } from '../../../workspace/commandText.ts'
import { safeText } from '../../../workspace/text.ts'
import { type Palette, paletteFor } from '../../colour.ts'
import { EXIT, type ExitCode } from '../../exit.ts'
import { shortPath, stateText, timeText } from '../../format.ts'
import type { Host } from '../../host.ts'
import { usage } from '../../parse.ts'
import { type Column, tableText } from '../../table.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'
import { ADDRESSES } from './asJson.ts'
import { goodText, sizeText } from './words.ts'

const FORMATS = ['text', 'ansi', 'html', 'json'] as const
type Format = (typeof FORMATS)[number]
const LONGEST_LINE = 1_000

export const show: Verb = {
  name: 'show',
  summary: 'Print what a checkpoint holds: its workspaces and terminals, or the screen of one of them.',
  operands: '<checkpoint>',
  completes: ['latest'],
  options: [
    { flags: '--screen <terminal>', help: 'print the screen of this terminal instead' },
    { flags: '-f, --format <format>', help: 'text or json; a screen also as ansi or html (text)', choices: FORMATS },
    { ...JSON_OPTION, help: 'the same as --format json' },
  ],
  example: ['holdfast checkpoint show latest', 'holdfast checkpoint show latest~3 --screen api', 'holdfast checkpoint show c8f -f json'],
  details: [...ADDRESSES, 'Secrets in variables and arguments are taken out of what is printed.'],
  run: async (input, host) => {
    const checkpoint = input.operands[0] ?? ''
    const asked = input.flag('json') ? 'json' : (input.text('format') ?? 'text')
    const format = FORMATS.find((known) => known === asked) ?? 'text'
    const terminal = input.text('screen')
    if (terminal !== undefined) return await printScreen(host, { checkpoint, terminal, format })
    if (format === 'ansi' || format === 'html') return usage(`--format ${format} goes with --screen`)
    const shown = await host.ask('checkpoint.show', { checkpoint })
    if (!shown.ok) return shown
    if (format === 'json') host.printJson(shown.value.result)
    else host.print(await checkpointText(shown.value.result, host))
    return done(EXIT.done)
  },
}

type Wanted = { readonly checkpoint: string; readonly terminal: string; readonly format: Format }

async function printScreen(host: Host, wanted: Wanted): Promise<Result<ExitCode>> {
  const read = await host.ask('checkpoint.screen', wanted)
  if (!read.ok) return read
  const { content } = read.value.result
  host.stdout.write(content.endsWith('\n') || content === '' ? content : `${content}\n`)
  return done(EXIT.done)
}

async function checkpointText(checkpoint: CheckpointView, host: Host): Promise<string> {
  const palette = paletteFor(host.stdout, host.env)
  const { withProgram, asleep, screens } = checkpoint.counts
  const head = [
    `checkpoint ${palette.bold(checkpoint.id)}, ${checkpoint.kind}, ${goodText(checkpoint)}`,
    `taken      ${timeText(checkpoint.at)}`,
    ...(checkpoint.note === null ? [] : [`note       ${safeText(checkpoint.note, LONGEST_LINE)}`]),
    `holds      ${withProgram} with a program, ${asleep} asleep, ${screens === 1 ? '1 screen' : `${screens} screens`}, ${sizeText(checkpoint.bytes)}`,
  ]
  const parts = await Promise.all(partsOf(checkpoint).map(({ title, terminals }) => partText(title, terminals, { host, palette })))
  return [head.join('\n'), ...parts].join('\n\n')
}

type Part = { readonly title: string; readonly terminals: readonly CheckpointTerminalView[] }

/** One per workspace; what stands in none comes last. */
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

async function partText(title: string, terminals: readonly CheckpointTerminalView[], { host, palette }: { host: Host; palette: Palette }) {
  const heading = palette.bold(safeText(title, LONGEST_LINE))
  if (terminals.length === 0) return `${heading}\n  no terminals`
  return `${heading}\n${await tableText(terminals, columnsOf(palette, host.env['HOME']), host)}`
}

function columnsOf(palette: Palette, home: string | undefined): readonly Column<CheckpointTerminalView>[] {
  return [
    { title: 'ID', text: ({ id }) => id, paint: () => palette.bold },
    { title: 'NAME', text: ({ name }) => name ?? '', shrinks: true },
    { title: 'STATE', text: ({ state, because }) => stateText({ state, because, trouble: null }), shrinks: true },
    { title: 'COMMAND', text: ({ command, args }) => commandText(command, args), shrinks: true },
    { title: 'CWD', text: ({ cwd, startedIn }) => shortPath(cwd ?? startedIn, home), shrinks: true },
    { title: 'AGENT', text: agentText, shrinks: true },
    { title: 'SCREEN', text: ({ screen, size }) => (screen === null ? 'none' : `${size.cols}x${size.rows}`) },
  ]
}

const agentText = ({ agent }: CheckpointTerminalView): string =>
  agent === null ? '' : `${agent.agent}${agent.conversation === null ? '' : ` ${agent.conversation}`}`
