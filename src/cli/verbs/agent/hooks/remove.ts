import { done } from '../../../../base/refusal.ts'
import { CONFIG_DIR, forEachAgent, HOOK_AGENTS, remove as removeHooks } from '../../../hooks/hooks.ts'
import { JSON_OPTION, type Verb } from '../../../verb.ts'

export const remove: Verb = {
  name: 'remove',
  summary: 'Take the hooks out of an agent’s settings again, and nothing else.',
  operands: '<agent...>',
  completes: HOOK_AGENTS,
  options: [CONFIG_DIR, JSON_OPTION],
  example: ['holdfast agent hooks remove claude'],
  run: (input, host) =>
    forEachAgent(input, host, (hooks) => {
      const removed = removeHooks(hooks)
      if (!removed.ok) return removed
      const { was, kept } = removed.value
      const { path, target } = hooks
      return done({
        told: { was, kept },
        lines: [
          was === 'absent' ? `${target.label} has none: ${path}` : `${target.label} does not report to Holdfast any more: ${path}`,
          kept === null ? null : `  You had changed it; as it was: ${kept}`,
        ],
      })
    }),
}
