import { done } from '../../../../base/refusal.ts'
import { forEach } from '../../../each.ts'
import { CONFIG_DIR, HOOK_AGENTS, hooksOf, install as installHooks } from '../../../hooks/hooks.ts'
import { JSON_OPTION, type Verb } from '../../../verb.ts'

export const install: Verb = {
  name: 'install',
  summary: 'Add hooks to an agent’s own settings, beside what is there, after a backup.',
  operands: '<agent...>',
  completes: HOOK_AGENTS,
  options: [CONFIG_DIR, JSON_OPTION],
  details: ['A hook runs only in terminals of Holdfast, prints nothing, and never makes an agent fail.'],
  example: ['holdfast agent hooks install claude', 'holdfast agent hooks install codex --config-dir ~/work/codex'],
  run: async (input, host) => {
    const told: object[] = []
    const outcome = await forEach(input.operands, host, (agent) => {
      const hooks = hooksOf(agent, input, host)
      if (!hooks.ok) return hooks
      const { target, path } = hooks.value
      const installed = installHooks(hooks.value)
      if (!installed.ok) return installed
      const { was, backup } = installed.value
      told.push({ agent, file: path, was, backup })
      if (input.flag('json')) return done(null)
      host.print(
        was === 'installed'
          ? `${target.label} has them already: ${path}`
          : `${target.label} reports to Holdfast from its next start on: ${path}`,
      )
      if (backup !== null) host.print(`  As it was: ${backup}`)
      if (target.then !== null && was !== 'installed') host.print(`  ${target.then}`)
      return done(null)
    })
    if (input.flag('json')) host.printJson(told)
    return outcome
  },
}
