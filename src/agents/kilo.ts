/** Kilo Code, a descendant of opencode. */
import { SES } from './idShapes.ts'
import { plainAgent } from './plainAgent.ts'
import { sessionDatabase } from './sessionDatabase.ts'

export const kilo = plainAgent({
  id: 'kilo',
  label: 'Kilo Code',
  recognise: { names: ['kilo', '.kilo', 'kilocode'], paths: ['/@kilocode/cli'] },
  idPattern: SES,
  resume: (id) => ['-s', id],
  flags: {
    withValue: ['-m', '--model', '--agent'],
    droppedWithValue: ['-s', '--session', '--prompt'],
    choosing: ['-s', '--session', '-c', '--continue', '--fork'],
    notConversation: ['-h', '--help', '-v', '--version', 'acp', 'auth', 'mcp', 'models', 'run', 'serve', 'session', 'upgrade', 'web'],
  },
  configEnv: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME'],
  exitHint: /\bkilo -s (ses_[0-9A-Za-z]{8,64})/,
  ...sessionDatabase('kilo'),
})
