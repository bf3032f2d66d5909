import { done } from '../../../../base/refusal.ts'
import { CONFIG_DIR, forEachAgent, HOOK_AGENTS, install as installHooks } from '../../../hooks/hooks.ts'
import { JSON_OPTION, type Verb } from '../../../verb.ts'

export const install: Verb = {
  name: 'install',
  summary: 'Add hooks to an agent’s own settings, beside what is there, after a backup.',
  operands: '<agent...>',
  completes: HOOK_AGENTS,
  options: [CONFIG_DIR, JSON_OPTION],
  details: ['A hook runs only in terminals of Holdfast, prints nothing, and never makes an agent fail.'],
  example: ['holdfast agent hooks install claude', 'holdfast agent hooks install codex --config-dir ~/work/codex'],
  run: (input, host) =>
    forEachAgent(input, host, (hooks) => {
      const installed = installHooks(hooks)
      if (!installed.ok) return installed
      const { was, backup } = installed.value
      const { path, target } = hooks
      const isNew = was !== 'installed'
      return done({
        told: { was, backup },
        lines: [
          isNew ? `${target.label} reports to Holdfast from its next start on: ${path}` : `${target.label} has them already: ${path}`,
          backup === null ? null : `  As it was: ${backup}`,
          isNew && target.then !== null ? `  ${target.then}` : null,
        ],
      })
    }),
}
