import type { Agent } from '../../../agents/agent.ts'
import { done } from '../../../base/refusal.ts'
import { commandText } from '../../../workspace/commandText.ts'
import { paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import { HOOK_AGENTS } from '../../hooks/hooks.ts'
import { loadConfig } from '../../loadConfig.ts'
import { tableText } from '../../table.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

/** `resume` and `latest` are command lines, to be read; null where it cannot. */
type Row = {
  readonly agent: string
  readonly label: string
  readonly resume: string | null
  readonly latest: string | null
  readonly hooks: boolean
}

export const ls: Verb = {
  name: 'ls',
  summary: 'Which agents Holdfast knows, and how it goes on with a conversation of theirs.',
  options: [JSON_OPTION],
  details: ['Any other program runs as well. [agents.NAME] in config.toml makes another agent known.'],
  example: ['holdfast agent ls', 'holdfast agent ls --json'],
  run: async (input, host) => {
    const { config } = await loadConfig(host.paths.config)
    const rows = config.agents.map(rowOf)
    const { bold, dim } = paletteFor(host.stdout, host.env)
    const columns = [
      { title: 'AGENT', text: ({ agent }: Row) => agent, paint: () => bold },
      { title: 'NAME', text: ({ label }: Row) => label },
      {
        title: 'RESUMED BY',
        text: ({ resume, latest }: Row) => resume ?? latest ?? 'started anew',
        paint: ({ resume }: Row) => (resume === null ? dim : plain),
        shrinks: true as const,
      },
      { title: 'HOOKS', text: ({ hooks }: Row) => (hooks ? 'yes' : ''), paint: () => dim },
    ]
    if (input.flag('json')) host.printJson(rows)
    else host.print(await tableText(rows, columns, host))
    return done(EXIT.done)
  },
}

const plain = (text: string): string => text

const rowOf = ({ id, label, recognise, resume, latest }: Agent): Row => {
  const program = recognise.names[0] ?? id
  return {
    agent: id,
    label,
    resume: resume === null ? null : commandText(program, resume('ID')),
    latest: latest === null ? null : commandText(program, latest),
    hooks: HOOK_AGENTS.includes(id),
  }
}
