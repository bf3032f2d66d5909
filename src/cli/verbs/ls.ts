import { ageText } from '../../base/format.ts'
import { done, type Result } from '../../base/refusal.ts'
import { type AgentView, agentOf, becauseOf, type TerminalView, troubleOf } from '../../wire/view.ts'
import { commandText } from '../../workspace/command/commandText.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import type { Cli, Verb } from '../core/verb.ts'
import type { Output, Tone } from '../text/color.ts'
import { agentText, shortPath, stateText } from '../text/format.ts'
import { type Column, tableText } from '../text/table.ts'

const NOTHING_YET = `No terminals yet. Start one:
  holdfast new                    your shell
  holdfast new --name api -- npm run dev`

export const verb: Verb = {
  name: 'ls',
  summary: 'List all terminals.',
  options: [{ flags: '-w, --watch', help: 'keep showing changes until Ctrl-C, even across restarts' }],
  details: ['With --watch, --json prints one line for all terminals ("all") and one for each change.'],
  example: [
    'holdfast ls',
    'holdfast ls --json | jq -r \'.[] | select(.agent.state == "needs-you") | .id\'',
    'holdfast ls --json | jq -r \'.[] | select(.state == "live") | .id\'',
    'holdfast ls --watch',
  ],
  run: async (cli, input) => {
    if (input.flag('watch')) return await watch(cli)
    const listed = await cli.ask('terminal.list', {})
    if (!listed.ok) return listed
    const terminals = listed.value.result
    if (cli.isJson) cli.printJson(terminals)
    else {
      cli.print(await listOrHint(terminals, cli))
      await mentionLost(terminals, cli)
    }
    return done(EXIT.done)
  },
}

/** Asks the daemon only if a terminal was lost. */
async function mentionLost(terminals: readonly TerminalView[], cli: Cli): Promise<void> {
  if (terminals.every((terminal) => becauseOf(terminal)?.kind !== 'lost')) return
  const { lostLine, lostOf } = await import('../waking/lost.ts')
  const lost = await lostOf(cli)
  if (lost !== null) cli.print(`\n${lostLine(lost)}`)
}

async function watch(cli: Cli): Promise<Result<ExitCode>> {
  const { watchDaemon } = await import('../watch/watchDaemon.ts')
  return await watchDaemon(cli, {
    who: 'ls',
    text: async ({ terminals }) => (terminals === null ? '' : await listOrHint(terminals, cli)),
    all: ({ health: _, ...all }) => ({ kind: 'all', ...all }),
    event: (event) => (event.kind === 'health' ? null : event),
  })
}

const listOrHint = async (terminals: readonly TerminalView[], cli: Cli): Promise<string> =>
  terminals.length === 0 ? NOTHING_YET : await listText(terminals, cli)

export function listText(terminals: readonly TerminalView[], output: Output, now = Date.now()): Promise<string> {
  const pinnedFirst = [...terminals.filter(({ pinned }) => pinned), ...terminals.filter(({ pinned }) => !pinned)]
  return tableText(pinnedFirst, columnsFor(terminals, output.env['HOME'], now), output)
}

/** A column that would be empty, or the same in every row, is left out. */
function columnsFor(terminals: readonly TerminalView[], home: string | undefined, now: number): readonly Column<TerminalView>[] {
  const hasAgents = terminals.some((terminal) => agentOf(terminal) !== null)
  const hasOtherBackends = terminals.some(({ backend }) => backend !== 'holder')
  return [
    { title: 'ID', text: ({ id }) => id, tone: 'bold' },
    { title: 'NAME', text: ({ name }) => name ?? '', shrinks: true },
    { title: 'STATE', text: (terminal) => [stateText(terminal), ...marksOf(terminal)].join(', '), tone: toneOf, shrinks: true },
    ...(hasAgents ? [agentColumn(now)] : []),
    ...(hasOtherBackends ? [BACKEND_COLUMN] : []),
    { title: 'COMMAND', text: ({ command, args }) => commandText(command, args), shrinks: true },
    { title: 'CWD', text: ({ cwd }) => shortPath(cwd, home), shrinks: true },
    { title: 'AGE', text: ({ created }) => ageText(now - created), tone: 'dim' },
  ]
}

/** For an ended program the state column says enough; unread output of a running one is marked. */
const marksOf = ({ state, unread, pinned, muted, private: isPrivate }: TerminalView): readonly string[] => [
  ...(unread && state !== 'asleep' ? ['unread'] : []),
  ...(pinned ? ['pinned'] : []),
  ...(muted ? ['muted'] : []),
  ...(isPrivate === true ? ['private'] : []),
]

function toneOf(terminal: TerminalView): Tone {
  const because = becauseOf(terminal)
  if (troubleOf(terminal) !== null || because?.kind === 'failed') return 'bad'
  if (terminal.state === 'live') return 'good'
  return because?.kind === 'lost' ? 'warn' : 'dim'
}

const AGENT_TONES: Readonly<Record<AgentView['state'], Tone>> = {
  'needs-you': 'warn',
  working: 'good',
  done: 'bold',
  idle: 'dim',
  unknown: 'dim',
}

const agentColumn = (now: number): Column<TerminalView> => ({
  title: 'AGENT',
  text: (terminal) => {
    const agent = agentOf(terminal)
    return agent === null ? '' : agentText(agent, now)
  },
  tone: (terminal) => AGENT_TONES[agentOf(terminal)?.state ?? 'unknown'],
  shrinks: true,
})

const BACKENDS: Readonly<Record<TerminalView['backend'], string>> = { holder: '', tmux: 'tmux', guest: 'your tmux' }

const BACKEND_COLUMN: Column<TerminalView> = {
  title: 'IN',
  text: ({ backend, tmuxSession }) => BACKENDS[backend] + (backend === 'guest' && tmuxSession ? `: ${tmuxSession}` : ''),
  tone: 'dim',
  shrinks: true,
}
