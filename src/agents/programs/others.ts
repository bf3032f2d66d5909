/** Agents that are recognised and no more: how they go on with a conversation is not known well enough. */
import { plainAgent } from './plainAgent.ts'

export const cursor = plainAgent({
  id: 'cursor',
  label: 'Cursor Agent',
  recognise: { names: ['cursor-agent'], paths: ['/cursor-agent/versions/'] },
})

export const amp = plainAgent({ id: 'amp', label: 'Amp', recognise: { names: ['amp'], paths: ['/@sourcegraph/amp/', '/@ampcode/cli'] } })
export const grok = plainAgent({ id: 'grok', label: 'Grok', recognise: { names: ['grok'], paths: [] } })
export const crush = plainAgent({ id: 'crush', label: 'Crush', recognise: { names: ['crush'], paths: ['/@charmland/crush/'] } })
export const auggie = plainAgent({ id: 'auggie', label: 'Auggie', recognise: { names: ['auggie'], paths: ['/@augmentcode/auggie/'] } })

export const droid = plainAgent({
  id: 'droid',
  label: 'Factory Droid',
  recognise: { names: ['droid'], paths: ['/@factory/cli', '/node_modules/droid/'] },
  flags: { notConversation: ['-h', '--help', '-v', '--version', 'exec', 'search', 'find', 'mcp', 'plugin', 'update'] },
})

export const aider = plainAgent({ id: 'aider', label: 'Aider', recognise: { names: ['aider'], paths: [] } })

export const goose = plainAgent({
  id: 'goose',
  label: 'Goose',
  recognise: { names: ['goose'], paths: [] },
  // A tool for database migrations has the same name.
  flags: { notConversation: ['-h', '--help', '--version', 'run', 'configure', 'info', 'up', 'down', 'redo', 'reset', 'status', 'create'] },
})
