/** The real Claude Code with flags that restrict it. `test/agents` has the others. */
import { test } from 'vitest'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import { keepsRestrictions } from '../support/agents/restricted.ts'

test('claude wakes with the restrictions that it was started with', { timeout: INSTALL_TIMEOUT_MS }, async (context) => {
  await using bench = await benchWith(context, ['claude'])
  await keepsRestrictions(bench, 'claude', { by: 'command', wakes: 1, name: 'restricted' })
})
