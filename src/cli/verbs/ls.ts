import { assertNever } from '../../base/assertNever.ts'
import { done, type Result } from '../../base/refusal.ts'
import type { AgentView, TerminalView } from '../../wire/view.ts'
import { commandText } from '../../workspace/commandText.ts'
import { type Paint, type Palette, paletteFor } from '../colour.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { agentText, ageText, shortPath, stateText } from '../format.ts'
import type { Host } from '../host.ts'
import { type Column, tableText } from '../table.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

const NOTHING_YET = `No terminals yet. Start one:
  holdfast new                    your shell
  holdfast new --name api -- npm run dev`

export const verb: Verb = {
  name: 'ls',
  summary: 'List all terminals.',
  options: [{ flags: '-w, --watch', help: 'go on: show every change until Ctrl-C, also through a restart of the daemon' }, JSON_OPTION],
  details: ['With --watch, --json prints one line for everything there is ("all") and one for each change after that.'],
  example: [
    'holdfast ls',
    'holdfast ls --json | jq -r \'.[] | select(.agent.state == "needs-you") | .id\'',
    'holdfast ls --json | jq -r \'.[] | select(.state == "live") | .id\'',
    'holdfast ls --watch',
  ],
  run: async (input, host) => {
    if (input.flag('watch')) return await watch(host, input.flag('json'))
    const listed = await host.ask('terminal.list', {})
    if (!listed.ok) return listed
    const terminals = listed.value.result
    if (input.flag('json')) host.printJson(terminals)
    else {
      host.print(await listOrHint(terminals, host))
      await mentionLost(terminals, host)
    }
    return done(EXIT.done)
  },
}

/** Who goes through an answer of the daemon for nothing, where none was lost? */
async function mentionLost(terminals: readonly TerminalView[], host: Host): Promise<void> {
  if (terminals.every(({ because }) => because?.kind !== 'lost')) return
  const { lostLine, lostOf } = await import('../lost.ts')
  const lost = await lostOf(host)
  if (lost !== null) host.print(`\n${lostLine(lost)}`)
}

async function watch(host: Host, isJson: boolean): Promise<Result<ExitCode>> {
  const { watchDaemon } = await import('../watch/watchDaemon.ts')
  return await watchDaemon(host, {
    ...{ who: 'ls', isJson },
    text: async ({ terminals }) => (terminals === null ? '' : await listOrHint(terminals, host)),
    all: ({ health: _, ...all }) => ({ kind: 'all', ...all }),
    event: (event) => (event.kind === 'health' ? null : event),
  })
}

const listOrHint = async (terminals: readonly TerminalView[], host: Host): Promise<string> =>
  terminals.length === 0 ? NOTHING_YET : await listText(terminals, host)

export function listText(terminals: readonly TerminalView[], host: Pick<Host, 'env' | 'stdout'>, now = Date.now()): Promise<string> {
  const palette = paletteFor(host.stdout, host.env)
  const pinnedFirst = [...terminals.filter(({ pinned }) => pinned), ...terminals.filter(({ pinned }) => !pinned)]
  const columns = columnsOf(terminals, { home: host.env['HOME'], now, palette })
  return tableText(pinnedFirst, columns, host)
}

type Surroundings = { readonly home: string | undefined; readonly now: number; readonly palette: Palette }

function columnsOf(terminals: readonly TerminalView[], { home, now, palette }: Surroundings): readonly Column<TerminalView>[] {
  return [
    { title: 'ID', text: ({ id }) => id, paint: () => palette.bold },
    { title: 'NAME', text: ({ name }) => name ?? '', shrinks: true },
    {
      title: 'STATE',
      text: (terminal) => [stateText(terminal), ...marksOf(terminal)].join(', '),
      paint: (terminal) => paintOf(terminal, palette),
      shrinks: true,
    },
    ...agentColumn(terminals, now, palette),
    ...backendColumn(terminals, palette),
    { title: 'COMMAND', text: ({ command, args }) => commandText(command, args), shrinks: true },
    { title: 'CWD', text: ({ cwd }) => shortPath(cwd, home), shrinks: true },
    { title: 'AGE', text: ({ created }) => ageText(now - created), paint: () => palette.dim },
  ]
}

/** Of a program that has ended that is said already; whoever has not looked yet is told of what goes on. */
const marksOf = ({ state, unread, pinned, muted, private: isPrivate }: TerminalView): readonly string[] => [
  ...(unread && state !== 'asleep' ? ['unread'] : []),
  ...(pinned ? ['pinned'] : []),
  ...(muted ? ['muted'] : []),
  ...(isPrivate === true ? ['private'] : []),
]

/** Where all are held by Holdfast itself, that is not news. */
function backendColumn(terminals: readonly TerminalView[], palette: Palette): readonly Column<TerminalView>[] {
  if (terminals.every(({ backend }) => backend === 'holder')) return []
  return [{ title: 'IN', text: backendText, paint: () => palette.dim, shrinks: true }]
}

function backendText({ backend, tmuxSession }: TerminalView): string {
  switch (backend) {
    case 'holder':
      return ''
    case 'tmux':
      return 'tmux'
    case 'guest':
      return tmuxSession ? `your tmux: ${tmuxSession}` : 'your tmux'
  }
  return assertNever(backend)
}

/** Where no terminal has an agent, there is none to tell of. */
function agentColumn(terminals: readonly TerminalView[], now: number, palette: Palette): readonly Column<TerminalView>[] {
  if (terminals.every(({ agent }) => agent === null)) return []
  return [
    {
      title: 'AGENT',
      text: ({ agent }) => (agent === null ? '' : agentText(agent, now)),
      paint: ({ agent }) => (agent === null ? palette.dim : agentPaint(agent.state, palette)),
      shrinks: true,
    },
  ]
}

function agentPaint(state: AgentView['state'], palette: Palette): Paint {
  switch (state) {
    case 'needs-you':
      return palette.warn
    case 'working':
      return palette.good
    case 'done':
      return palette.bold
    case 'idle':
    case 'unknown':
      return palette.dim
  }
  return assertNever(state)
}

function paintOf({ state, because, trouble }: TerminalView, palette: Palette) {
  if (trouble !== null || because?.kind === 'failed') return palette.bad
  if (state === 'live') return palette.good
  return because?.kind === 'lost' ? palette.warn : palette.dim
}
