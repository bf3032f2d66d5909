import type { Presence } from '../../../../agents/hooks/hookText.ts'
import { assertNever } from '../../../../base/assertNever.ts'
import { done } from '../../../../base/refusal.ts'
import { type Palette, paletteFor } from '../../../colour.ts'
import { EXIT } from '../../../exit.ts'
import { shortPath } from '../../../format.ts'
import { CONFIG_DIR, HOOK_AGENTS, hooksOf, presenceOf } from '../../../hooks/hooks.ts'
import { tableText } from '../../../table.ts'
import { JSON_OPTION, type Verb } from '../../../verb.ts'

type Row = {
  readonly agent: string
  readonly state: Presence['kind'] | 'agent-not-found'
  readonly why: string | null
  readonly file: string
}

export const status: Verb = {
  name: 'status',
  summary: 'Which agents have the hooks, and where.',
  operands: '[agent...]',
  completes: HOOK_AGENTS,
  options: [CONFIG_DIR, JSON_OPTION],
  example: ['holdfast agent hooks status', 'holdfast agent hooks status claude --json'],
  run: async (input, host) => {
    const rows: Row[] = []
    for (const agent of input.operands.length > 0 ? input.operands : HOOK_AGENTS) {
      const hooks = hooksOf(agent, input, host)
      if (!hooks.ok) return hooks
      const presence = presenceOf(hooks.value)
      const seen: Presence = presence.ok ? presence.value : { kind: 'unusable', why: 'cannot be read' }
      const state = seen.kind === 'absent' && !hooks.value.isAgentThere ? 'agent-not-found' : seen.kind
      rows.push({ agent, state, why: seen.kind === 'unusable' ? seen.why : null, file: hooks.value.path })
    }
    const palette = paletteFor(host.stdout, host.env)
    const columns = [
      { title: 'AGENT', text: ({ agent }: Row) => agent, paint: () => palette.bold },
      { title: 'HOOKS', text: wordsOf, paint: ({ state }: Row) => paintOf(state, palette) },
      { title: 'FILE', text: ({ file }: Row) => shortPath(file, host.env['HOME']), shrinks: true as const },
    ]
    if (input.flag('json')) host.printJson(rows)
    else host.print(await tableText(rows, columns, host))
    return done(EXIT.done)
  },
}

function wordsOf({ state, why }: Row): string {
  switch (state) {
    case 'installed':
      return 'installed'
    case 'absent':
      return 'not installed'
    case 'changed':
      return 'changed by hand, or of another version'
    case 'unusable':
      return `unknown: the file ${why ?? ''}`
    case 'agent-not-found':
      return 'agent not found'
  }
  return assertNever(state)
}

function paintOf(state: Row['state'], palette: Palette) {
  if (state === 'installed') return palette.good
  return state === 'changed' || state === 'unusable' ? palette.warn : palette.dim
}
