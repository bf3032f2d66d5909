import { done } from '../../base/refusal.ts'
import type { Outcome } from '../../wire/commands.ts'
import { EXIT } from '../exit.ts'
import type { Host } from '../host.ts'
import { usage } from '../parse.ts'
import { tableText } from '../table.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'adopt',
  summary: 'Show what runs in your own tmux as guests: seen and typed into here, never ended by Holdfast.',
  operands: '[session]',
  options: [
    { flags: '--tmux', help: 'from tmux; so far there is nothing else to adopt from, and it must be said' },
    { flags: '--socket <path>', help: 'of the tmux server (that of $TMUX, or the usual one)' },
    { flags: '--workspace <workspace>', help: 'where they are shown (one that is called after the session)' },
    JSON_OPTION,
  ],
  details: [
    'Every pane becomes a terminal; without a session, those of all sessions. Your tmux decides their size, and nothing in it is',
    'changed. Closing a guest, or putting it to sleep, lets it go: its program goes on in tmux.',
  ],
  example: ['holdfast adopt --tmux', 'holdfast adopt --tmux work', 'holdfast adopt --tmux work --workspace side'],
  run: async (input, host) => {
    const [session] = input.operands
    if (!input.flag('tmux')) return usage('say from where: --tmux, which is the only one so far')
    const workspace = input.text('workspace')
    const asked = await host.ask('terminal.adopt', {
      socket: input.text('socket') ?? usualSocket(host.env, process.getuid?.() ?? 0),
      ...(session === undefined ? {} : { session }),
      ...(workspace === undefined ? {} : { workspace }),
    })
    if (!asked.ok) return asked
    if (input.flag('json')) host.printJson(asked.value.result)
    else host.print(await adoptedText(asked.value.result, host))
    return done(EXIT.done)
  },
}

/** As tmux itself finds it: the one we are in, or the one that a plain `tmux` talks to. */
export function usualSocket(env: Readonly<Record<string, string | undefined>>, uid: number): string {
  const [inside = ''] = (env['TMUX'] ?? '').split(',')
  return inside === '' ? `${env['TMUX_TMPDIR'] || '/tmp'}/tmux-${uid}/default` : inside
}

async function adoptedText({ adopted, left }: Outcome<'terminal.adopt'>, host: Host): Promise<string> {
  const table = await tableText(
    adopted,
    [
      { title: 'ID', text: ({ terminal }) => terminal.id },
      { title: 'NAME', text: ({ terminal }) => terminal.name ?? '', shrinks: true },
      { title: 'PANE', text: ({ pane }) => pane, shrinks: true },
      { title: 'COMMAND', text: ({ terminal }) => terminal.command, shrinks: true },
    ],
    host,
  )
  return [table, ...left.map(({ pane, command, why }) => `${pane} (${command}) was left out: ${why}.`)].join('\n')
}
