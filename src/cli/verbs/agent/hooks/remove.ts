import { done } from '../../../../base/refusal.ts'
import { forEach } from '../../../each.ts'
import { CONFIG_DIR, HOOK_AGENTS, hooksOf, remove as removeHooks } from '../../../hooks/hooks.ts'
import { JSON_OPTION, type Verb } from '../../../verb.ts'

export const remove: Verb = {
  name: 'remove',
  summary: 'Take the hooks out of an agent’s settings again, and nothing else.',
  operands: '<agent...>',
  completes: HOOK_AGENTS,
  options: [CONFIG_DIR, JSON_OPTION],
  example: ['holdfast agent hooks remove claude'],
  run: async (input, host) => {
    const told: object[] = []
    const outcome = await forEach(input.operands, host, (agent) => {
      const hooks = hooksOf(agent, input, host)
      if (!hooks.ok) return hooks
      const { target, path } = hooks.value
      const removed = removeHooks(hooks.value)
      if (!removed.ok) return removed
      const { was, kept } = removed.value
      told.push({ agent, file: path, was, kept })
      if (input.flag('json')) return done(null)
      host.print(was === 'absent' ? `${target.label} has none: ${path}` : `${target.label} does not report to Holdfast any more: ${path}`)
      if (kept !== null) host.print(`  You had changed it; as it was: ${kept}`)
      return done(null)
    })
    if (input.flag('json')) host.printJson(told)
    return outcome
  },
}
