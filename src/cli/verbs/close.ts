/** Closing: `close` for some terminals, `reopen` to undo it, `start-over` for all of them. */

import { ageText } from '../../base/format.ts'
import { done, type Result } from '../../base/refusal.ts'
import type { ClosedView, ClosingView } from '../../wire/commands/closing.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import { agentOf, type TerminalView } from '../../wire/view.ts'
import { START_OVER } from '../../workspace/checkpoint/startOver.ts'
import { commandText } from '../../workspace/command/commandText.ts'
import { forEach, given, show, showTable } from '../core/answers.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import { usage } from '../core/parse.ts'
import { confirm, typed } from '../core/questions.ts'
import type { Cli, Input, Verb } from '../core/verb.ts'
import { agentText, shortPath, stateText } from '../text/format.ts'
import type { Column } from '../text/table.ts'

export const close: Verb = {
  name: 'close',
  summary: 'Close a terminal and end its program.',
  operands: '<id...>',
  options: [
    { flags: '-y, --yes', help: 'do not ask, even if work would be lost' },
    { flags: '--remove-worktree', help: 'also remove its git worktree if clean; the branch stays' },
  ],
  details: [
    'For five minutes, holdfast reopen brings it back.',
    'A worktree is not removed if it has uncommitted changes, untracked files, unique',
    'commits or another terminal in it; the command then prints the reason. Removing',
    'a worktree also deletes the files that git ignores. A guest of your own tmux is',
    'only detached: its program keeps running there.',
  ],
  example: ['holdfast close api', 'holdfast close --yes t3k t9q', 'holdfast close --remove-worktree fix'],
  run: async (cli, input) => {
    if (!input.flag('yes') && cli.stdin.isTTY === true && !(await agreed(input.operands, cli))) return done(EXIT.refused)
    const closed: Outcome<'terminal.close'>[] = []
    const outcome = await forEach(input.operands, cli, async (terminal) => {
      const answer = await cli.ask('terminal.close', { terminal, ...given({ removeWorktree: input.flag('removeWorktree') || undefined }) })
      if (!answer.ok) return answer
      closed.push(answer.value.result)
      if (!cli.isJson) cli.print(closedText(terminal, answer.value.result))
      return answer
    })
    if (cli.isJson) cli.printJson(closed)
    return outcome
  },
}

function closedText(ref: string, { id, goesOn, worktree }: Outcome<'terminal.close'>): string {
  const gone = goesOn ? `Released ${ref}: its program keeps running in your tmux.` : `Closed ${ref}.`
  const closed = `${gone} Undo within five minutes: holdfast reopen ${id}.`
  if (worktree === null) return closed
  if (worktree.removed) return `${closed}\nRemoved its worktree ${worktree.path}; the branch stays.`
  return `${closed}\nIts worktree was not removed: ${worktree.why}.`
}

/** Asks only where something would be lost. The daemon refuses what it cannot find. */
async function agreed(refs: readonly string[], cli: Cli): Promise<boolean> {
  const answers = await Promise.all(refs.map((terminal) => cli.ask('terminal.closing', { terminal })))
  const costly = answers.flatMap((answer) => (answer.ok && answer.value.result.asks ? [answer.value.result] : []))
  if (costly.length === 0) return true
  const lines = costly.flatMap((closing) => closingLines(closing, Date.now()))
  return await confirm(`Closing ends or removes:\n${lines.join('\n')}\nClose ${refs.length === 1 ? 'it' : 'them'}?`, cli)
}

/** What closing costs: one line for the terminal, and details below it. */
export function closingLines(closing: ClosingView, now: number): readonly string[] {
  const { id, name, agent, conversation } = closing
  const whose = agent?.label ?? conversation?.agent ?? ''
  return [
    `  ${name ?? id}: ${whatGoes(closing, now)}`,
    ...(conversation === null ? [] : [`    Its conversation stays in the files of ${whose}.`]),
    ...worktreeLine(closing),
  ]
}

function whatGoes({ state, goesOn, agent, program, others }: ClosingView, now: number): string {
  if (goesOn) return 'is released; its program keeps running in your tmux'
  if (state === 'asleep') return 'is asleep; its last screen and its history are removed'
  const ends = agent === null ? (program ?? 'a shell') : agentText(agent, now)
  return others === 0 ? `${ends} ends` : `${ends} ends, with ${others} more ${others === 1 ? 'process' : 'processes'}`
}

/** The main directory of a repository is never removed, so it is not mentioned. */
function worktreeLine({ worktree }: ClosingView): readonly string[] {
  if (worktree === null || worktree.kind === 'main') return []
  const { name, isRemovable, why } = worktree
  if (isRemovable) return [`    Its worktree ${name} is clean; use --remove-worktree to remove it too.`]
  return [`    Its worktree ${name} stays: ${why}.`]
}

export const reopen: Verb = {
  name: 'reopen',
  summary: 'Reopen a terminal closed in the last five minutes.',
  operands: '[id]',
  completes: [], // closed terminals are not listed
  options: [{ flags: '--list', help: 'list the terminals that can be reopened, and until when' }],
  details: [
    'Without an id: the one closed last. It comes back asleep, in its place and with',
    'its history; a worktree that was removed with it is restored. Start its program',
    'with holdfast wake.',
  ],
  example: ['holdfast reopen', 'holdfast reopen api', 'holdfast reopen --list'],
  run: (cli, input) => (input.flag('list') ? listClosed(cli, input) : reopenOne(cli, input)),
}

async function reopenOne(cli: Cli, input: Input): Promise<Result<ExitCode>> {
  return await show(cli, cli.ask('terminal.reopen', given({ terminal: input.operands[0] })), ({ id, name, workspace, notes }) =>
    [`Reopened ${name ?? id} in ${workspace}. Start it with holdfast wake ${id}.`, ...notes].join('\n'),
  )
}

async function listClosed(cli: Cli, input: Input): Promise<Result<ExitCode>> {
  if (input.operands.length > 0) return usage('--list and a terminal exclude each other')
  return await showTable(cli, cli.ask('terminal.closed', {}), {
    columns: closedColumns(cli.env['HOME'], Date.now()),
    none: 'No terminal was closed in the last five minutes.',
  })
}

const closedColumns = (home: string | undefined, now: number): readonly Column<ClosedView>[] => [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name ?? '' },
  { title: 'CLOSED', text: ({ at }) => `${ageText(Math.max(0, now - at))} ago` },
  { title: 'LEFT', text: ({ until }) => ageText(Math.max(0, until - now)) },
  { title: 'WORKSPACE', text: ({ workspace }) => workspace },
  { title: 'DIRECTORY', text: ({ directory }) => shortPath(directory, home), shrinks: true },
  { title: 'COMMAND', text: ({ command }) => command, shrinks: true },
]

const MOST_SHOWN = 40 // a screen

export const startOver: Verb = {
  name: 'start-over',
  summary: 'Close every terminal and start with an empty workspace.',
  options: [{ flags: '--confirm <words>', help: `confirm without a prompt: the words “${START_OVER}”` }],
  details: [
    'Saves a checkpoint first; restore it to undo. Programs get time to settle, so',
    'that conversations can be resumed after a restore.',
  ],
  example: ['holdfast start-over', `holdfast start-over --confirm "${START_OVER}"`],
  run: async (cli, input) => {
    const confirmed = await isConfirmed(cli, input)
    if (!confirmed.ok) return confirmed
    if (!confirmed.value) return done(EXIT.refused)
    const emptied = cli.ask('workspace.startOver', { confirm: START_OVER })
    return await show(
      cli,
      emptied,
      ({ checkpoint, closed }) => `Closed ${counted(closed.length)}.\nUndo with holdfast restore ${checkpoint}.`,
    )
  },
}

async function isConfirmed(cli: Cli, input: Input): Promise<Result<boolean>> {
  const words = input.text('confirm')
  if (words !== undefined) return words.trim() === START_OVER ? done(true) : usage(`--confirm needs the words "${START_OVER}"`)
  if (cli.stdin.isTTY !== true) return usage(`cannot ask: the input is not a terminal; use --confirm "${START_OVER}"`)
  const listed = await cli.ask('terminal.list', {})
  if (!listed.ok) return listed
  const question = `${linesOf(listed.value.result, Date.now()).join('\n')}\nType ${START_OVER} to continue, or anything else to cancel: `
  return done((await typed(question, cli)) === START_OVER)
}

function linesOf(terminals: readonly TerminalView[], now: number): readonly string[] {
  if (terminals.length === 0) return ['There are no terminals; this would remove all workspaces and groups.']
  const lines = terminals.slice(0, MOST_SHOWN).map((terminal) => {
    const { id, name, command, args } = terminal
    const agent = agentOf(terminal)
    const what = agent === null ? commandText(command, args) : agentText(agent, now)
    return `  ${name ?? id}: ${stateText(terminal)}, ${what}`
  })
  const more = terminals.length - MOST_SHOWN
  return [`This would close ${counted(terminals.length)} and remove all workspaces:`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])]
}

const counted = (count: number): string => `${count} ${count === 1 ? 'terminal' : 'terminals'}`
