import type { Presence } from '../../agents/hooks/hookTargets.ts'
import { done } from '../../base/refusal.ts'
import { print } from '../core/answers.ts'
import type { Verb } from '../core/verb.ts'
import { CONFIG_DIR, forEachAgent, HOOK_AGENTS, hooksOf, installHooks, presenceOf, removeHooks } from '../hooks/hooks.ts'
import type { Tone } from '../text/color.ts'
import { shortPath } from '../text/format.ts'
import { tableText } from '../text/table.ts'

const install: Verb = {
  name: 'install',
  summary: 'Add the hooks to an agent’s settings, after a backup.',
  operands: '<agent...>',
  completes: HOOK_AGENTS,
  options: [CONFIG_DIR],
  details: [
    'Other entries of the settings file stay. A hook does nothing outside Holdfast',
    'terminals, prints nothing, and never makes an agent fail.',
  ],
  example: ['holdfast agent hooks install claude', 'holdfast agent hooks install codex --config-dir ~/work/codex'],
  run: (cli, input) =>
    forEachAgent(cli, input, (found) => {
      const installed = installHooks(found)
      if (!installed.ok) return installed
      const { was, backup } = installed.value
      const { path, target } = found
      const isNew = was !== 'installed'
      return done({
        told: { was, backup },
        lines: [
          isNew
            ? `Installed: ${target.label} reports to Holdfast from its next start: ${path}`
            : `Already installed for ${target.label}: ${path}`,
          backup === null ? null : `  Backup: ${backup}`,
          isNew && target.then !== null ? `  ${target.then}` : null,
        ],
      })
    }),
}

const remove: Verb = {
  name: 'remove',
  summary: 'Remove the hooks from an agent’s settings.',
  operands: '<agent...>',
  completes: HOOK_AGENTS,
  options: [CONFIG_DIR],
  example: ['holdfast agent hooks remove claude'],
  run: (cli, input) =>
    forEachAgent(cli, input, (found) => {
      const removed = removeHooks(found)
      if (!removed.ok) return removed
      const { was, kept } = removed.value
      const { path, target } = found
      return done({
        told: { was, kept },
        lines: [
          was === 'absent'
            ? `Not installed for ${target.label}: ${path}`
            : `Removed: ${target.label} no longer reports to Holdfast: ${path}`,
          kept === null ? null : `  You had changed it. Backup: ${kept}`,
        ],
      })
    }),
}

type State = Presence['kind'] | 'agent-not-found'
type Row = { readonly agent: string; readonly state: State; readonly why: string | null; readonly file: string }

const STATES: Readonly<Record<State, { readonly text: string; readonly tone: Tone }>> = {
  installed: { text: 'installed', tone: 'good' },
  absent: { text: 'not installed', tone: 'dim' },
  changed: { text: 'edited, or of another version', tone: 'warn' },
  unusable: { text: 'unknown: the file ', tone: 'warn' },
  'agent-not-found': { text: 'agent not found', tone: 'dim' },
}

const status: Verb = {
  name: 'status',
  summary: 'Show which agents have the hooks, and in which file.',
  operands: '[agent...]',
  completes: HOOK_AGENTS,
  options: [CONFIG_DIR],
  example: ['holdfast agent hooks status', 'holdfast agent hooks status claude --json'],
  run: async (cli, input) => {
    const rows: Row[] = []
    for (const agent of input.operands.length > 0 ? input.operands : HOOK_AGENTS) {
      const found = hooksOf(agent, input, cli)
      if (!found.ok) return found
      const presence = presenceOf(found.value)
      const seen: Presence = presence.ok ? presence.value : { kind: 'unusable', why: 'cannot be read' }
      const state = seen.kind === 'absent' && !found.value.isAgentThere ? 'agent-not-found' : seen.kind
      rows.push({ agent, state, why: seen.kind === 'unusable' ? seen.why : null, file: found.value.path })
    }
    const columns = [
      { title: 'AGENT', text: ({ agent }: Row) => agent, tone: 'bold' as const },
      { title: 'HOOKS', text: ({ state, why }: Row) => STATES[state].text + (why ?? ''), tone: ({ state }: Row) => STATES[state].tone },
      { title: 'FILE', text: ({ file }: Row) => shortPath(file, cli.env['HOME']), shrinks: true as const },
    ]
    return await print(cli, rows, () => tableText(rows, columns, cli))
  },
}

export const hooks: Verb = {
  name: 'hooks',
  summary: 'Install, show or remove the hooks of agents.',
  details: [
    'With hooks, an agent reports its conversation and its state to Holdfast at once.',
    'Without hooks, Holdfast reads the agent’s files and screen instead.',
  ],
  example: ['holdfast agent hooks install claude codex', 'holdfast agent hooks status', 'holdfast agent hooks remove claude'],
  verbs: [install, status, remove],
}
