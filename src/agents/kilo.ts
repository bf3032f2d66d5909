/** Kilo Code, a descendant of opencode. */

import { flagTable, wordsOf } from './flags/flagTable.ts'
import { KILO_FLAGS } from './flags/kilo.ts'
import { SES } from './idShapes.ts'
import { plainAgent } from './plainAgent.ts'
import { sessionDatabase } from './sessionDatabase.ts'
import { SESSION_SIGNS } from './sessionSigns.ts'
import { shownBy } from './shown.ts'

export const kilo = plainAgent({
  id: 'kilo',
  label: 'Kilo Code',
  recognise: { names: ['kilo', '.kilo', 'kilocode'], paths: ['/@kilocode/cli'] },
  idPattern: SES,
  resume: (id) => ['-s', id],
  flags: {
    grammar: 'yargs',
    takes: { ...KILO_FLAGS, ...flagTable({ none: '--replay --demo' }) },
    choosing: ['-s', '--session', '-c', '--continue', '--fork', '--cloud-fork'],
    prompting: ['--prompt'],
    once: ['--worktree'],
    notConversation: wordsOf(`
      -h --help -v --version acp agent attach auth cloud completion config console daemon db debug export github help import mcp
      models plug plugin pr profile providers remote roll-call run serve session stats uninstall upgrade web worktree
    `),
  },
  configEnv: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME'],
  exitHint: /\bkilo -s (ses_[0-9A-Za-z]{8,64})/,
  ...sessionDatabase('kilo'),
  shown: shownBy(SESSION_SIGNS),
})
