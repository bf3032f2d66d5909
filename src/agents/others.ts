/** Agents that are recognised, and resumed where they have a way to. */
import { plainAgent, SES } from './plainAgent.ts'

export const qwen = plainAgent({
  id: 'qwen',
  label: 'Qwen Code',
  recognise: { names: ['qwen'], paths: ['/@qwen-code/qwen-code/'] },
  resume: (id) => ['--resume', id],
  latest: ['--continue'],
  assign: (id) => ['--session-id', id],
  flags: {
    withValue: ['-m', '--model', '--approval-mode'],
    withMany: ['--include-directories', '--allowed-tools', '-e', '--extensions'],
    alone: ['-y', '--yolo', '-s', '--sandbox', '-d', '--debug'],
    droppedWithValue: ['--session-id'],
    choosing: ['-r', '--resume', '-c', '--continue', '--session-id'],
    notConversation: ['-h', '--help', '-v', '--version', '-p', '--prompt', '--acp', '--list-extensions', 'mcp', 'extensions'],
  },
  exitHint: /To continue this session, run ?qwen --resume ?([0-9a-f-]{36})/i,
})

export const copilot = plainAgent({
  id: 'copilot',
  label: 'GitHub Copilot CLI',
  recognise: { names: ['copilot'], paths: ['/@github/copilot'] },
  resume: (id) => [`--resume=${id}`],
  latest: ['--continue'],
  assign: (id) => [`--session-id=${id}`],
  flags: {
    withValue: ['--model', '--agent', '--add-dir', '--allow-tool', '--deny-tool', '--additional-mcp-config'],
    alone: ['--allow-all-tools', '--allow-all-paths', '--no-custom-instructions', '--banner'],
    choosing: ['--resume', '--continue', '--session-id'],
    notConversation: ['-h', '--help', '-v', '--version', '-p', '--prompt', '--acp', 'help', 'mcp', 'plugin', 'login', 'update', 'version'],
  },
  exitHint: /Resume copilot --resume=([0-9a-f-]{36})/i,
})

export const kilo = plainAgent({
  id: 'kilo',
  label: 'Kilo Code',
  recognise: { names: ['kilo', '.kilo', 'kilocode'], paths: ['/@kilocode/cli'] },
  idPattern: SES,
  resume: (id) => ['-s', id],
  latest: ['--continue'],
  flags: {
    withValue: ['-m', '--model', '--agent'],
    droppedWithValue: ['-s', '--session', '--prompt'],
    choosing: ['-s', '--session', '-c', '--continue', '--fork'],
    notConversation: ['-h', '--help', '-v', '--version', 'acp', 'auth', 'mcp', 'models', 'run', 'serve', 'session', 'upgrade', 'web'],
  },
  configEnv: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME'],
  exitHint: /\bkilo -s (ses_[0-9A-Za-z]{8,64})/,
})

export const pi = plainAgent({
  id: 'pi',
  label: 'pi',
  recognise: { names: ['pi'], paths: ['/pi-coding-agent/'] },
  resume: (id) => ['--session', id],
  latest: ['--continue'],
  flags: {
    withValue: ['--model', '--provider', '--thinking', '--tools'],
    droppedWithValue: ['--session', '--fork'],
    choosing: ['--session', '--fork', '-c', '--continue', '-r', '--resume'],
    notConversation: ['-h', '--help', '-v', '--version', '-p', '--print', 'install', 'remove', 'update', 'list', 'config'],
  },
})

export const cline = plainAgent({
  id: 'cline',
  label: 'Cline',
  recognise: { names: ['cline'], paths: ['/node_modules/cline/'] },
  idPattern: /^\d{10,16}_[0-9A-Za-z]{3,32}$/,
  resume: (id) => ['--id', id],
  flags: {
    withValue: ['-m', '--model'],
    droppedWithValue: ['--id'],
    choosing: ['--id'],
    notConversation: ['-h', '--help', '-v', '--version', '--cline-hub-daemon', 'auth', 'config', 'history', 'mcp', 'version'],
  },
  exitHint: /Continue cline --id (\d{10,16}_[0-9A-Za-z]{3,32})/,
})

export const cursor = plainAgent({
  id: 'cursor',
  label: 'Cursor Agent',
  recognise: { names: ['cursor-agent'], paths: ['/cursor-agent/versions/'] },
})

export const amp = plainAgent({ id: 'amp', label: 'Amp', recognise: { names: ['amp'], paths: ['/@sourcegraph/amp/'] } })
export const grok = plainAgent({ id: 'grok', label: 'Grok', recognise: { names: ['grok'], paths: [] } })
export const crush = plainAgent({ id: 'crush', label: 'Crush', recognise: { names: ['crush'], paths: ['/@charmland/crush/'] } })
export const aider = plainAgent({ id: 'aider', label: 'Aider', recognise: { names: ['aider'], paths: [] } })

export const goose = plainAgent({
  id: 'goose',
  label: 'Goose',
  recognise: { names: ['goose'], paths: [] },
  // A tool for database migrations has the same name.
  flags: { notConversation: ['-h', '--help', '--version', 'run', 'configure', 'info', 'up', 'down', 'redo', 'reset', 'status', 'create'] },
})
