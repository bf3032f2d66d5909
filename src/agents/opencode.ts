/** opencode. All conversations are in one database; no file says which process has which. */

import { flagTable, wordsOf } from './flags/flagTable.ts'
import { OPENCODE_FLAGS } from './flags/opencode.ts'
import { SES } from './idShapes.ts'
import { plainAgent } from './plainAgent.ts'
import { sessionDatabase } from './sessionDatabase.ts'
import { SESSION_SIGNS } from './sessionSigns.ts'
import { shownBy } from './shown.ts'

export const opencode = plainAgent({
  id: 'opencode',
  label: 'opencode',
  recognise: { names: ['opencode'], paths: ['/opencode-ai/', '/.opencode/bin/'] },
  idPattern: SES,
  resume: (id) => ['-s', id],
  flags: {
    grammar: 'yargs',
    takes: { ...OPENCODE_FLAGS, ...flagTable({ none: '--replay --demo' }) },
    choosing: ['-s', '--session', '-c', '--continue', '--fork'],
    prompting: ['--prompt'],
    notConversation: wordsOf(`
      -h --help -v --version acp agent attach auth completion db debug export github import mcp models plug plugin pr providers run
      serve session stats uninstall upgrade web
    `),
  },
  configEnv: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  exitHint: /Continue opencode -s (ses_[0-9A-Za-z]{8,64})/,
  ...sessionDatabase('opencode'),
  shown: shownBy(SESSION_SIGNS),
})
