/** opencode. All conversations are in one database; no file says which process has which. */

import { SES } from './idShapes.ts'
import { plainAgent } from './plainAgent.ts'
import { sessionDatabase } from './sessionDatabase.ts'
import { shownBy } from './shown.ts'

export const opencode = plainAgent({
  id: 'opencode',
  label: 'opencode',
  recognise: { names: ['opencode'], paths: ['/opencode-ai/', '/.opencode/bin/'] },
  idPattern: SES,
  resume: (id) => ['-s', id],
  flags: {
    withValue: ['-m', '--model', '--agent', '--port', '--hostname', '--log-level', '--replay-limit'],
    withMany: ['--cors'],
    alone: ['--pure', '--print-logs', '--mdns', '--auto', '--mini', '--no-replay'],
    droppedWithValue: ['-s', '--session', '--prompt'],
    choosing: ['-s', '--session', '-c', '--continue', '--fork'],
    notConversation: [
      ...['-h', '--help', '-v', '--version', 'acp', 'agent', 'attach', 'auth', 'completion', 'db', 'debug', 'export', 'github', 'import'],
      ...['mcp', 'models', 'plug', 'plugin', 'pr', 'providers', 'run', 'serve', 'session', 'stats', 'uninstall', 'upgrade', 'web'],
    ],
  },
  configEnv: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  exitHint: /Continue opencode -s (ses_[0-9A-Za-z]{8,64})/,
  ...sessionDatabase('opencode'),
  shown: shownBy({
    asks: [/\bPermission required\b/, /\bAllow once\b/],
    lines: [
      [/\besc (?:again to )?interrupt\b/, 'working'],
      [/\bctrl\+p commands\b/, 'idle'],
    ],
  }),
})
