import type { Outcome } from '../../wire/commands/commands.ts'
import { given, show } from '../core/answers.ts'
import { usage } from '../core/parse.ts'
import type { Cli, Env, Verb } from '../core/verb.ts'
import { tableText } from '../text/table.ts'

export const verb: Verb = {
  name: 'adopt',
  summary: 'Show panes of your own tmux as guest terminals.',
  operands: '[session]',
  options: [
    { flags: '--tmux', help: 'adopt from tmux (required)' },
    { flags: '--socket <path>', help: 'socket of the tmux server (default: $TMUX, then tmux’s own)' },
    { flags: '--workspace <workspace>', help: 'workspace to show them in (default: one named after it)' },
  ],
  details: [
    'Every pane becomes a terminal. Without a session, Holdfast adopts all sessions.',
    'tmux decides the size of a guest, and Holdfast changes nothing in your tmux.',
    'Closing a guest, or putting it to sleep, only detaches it: its program keeps',
    'running in tmux.',
  ],
  example: ['holdfast adopt --tmux', 'holdfast adopt --tmux work', 'holdfast adopt --tmux work --workspace side'],
  run: async (cli, input) => {
    const [session] = input.operands
    if (!input.flag('tmux')) return usage('--tmux is required')
    const socket = input.text('socket') ?? usualSocket(cli.env, process.getuid?.() ?? 0)
    const adopted = cli.ask('terminal.adopt', { socket, ...given({ session, workspace: input.text('workspace') }) })
    return await show(cli, adopted, (result) => adoptedText(result, cli))
  },
}

/** As tmux finds it: the server this runs in, or else the default one. */
function usualSocket(env: Env, uid: number): string {
  const [inside = ''] = (env['TMUX'] ?? '').split(',')
  return inside === '' ? `${env['TMUX_TMPDIR'] || '/tmp'}/tmux-${uid}/default` : inside
}

async function adoptedText({ adopted, left }: Outcome<'terminal.adopt'>, cli: Cli): Promise<string> {
  const table = await tableText(
    adopted,
    [
      { title: 'ID', text: ({ terminal }) => terminal.id },
      { title: 'NAME', text: ({ terminal }) => terminal.name ?? '', shrinks: true },
      { title: 'PANE', text: ({ pane }) => pane, shrinks: true },
      { title: 'COMMAND', text: ({ terminal }) => terminal.command, shrinks: true },
    ],
    cli,
  )
  return [table, ...left.map(({ pane, command, why }) => `Skipped ${pane} (${command}): ${why}.`)].join('\n')
}
