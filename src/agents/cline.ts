/** Cline. Its conversations lie in one place for all projects, each with the process, the directory and the status. */
import { clineFindings, clineReading, clineTranscript } from './clineFiles.ts'
import { CLINE_FLAGS } from './flags/cline.ts'
import { flagTable, wordsOf } from './flags/flagTable.ts'
import { plainAgent } from './plainAgent.ts'
import { shownBy } from './shown.ts'

/** Its --help says that `--thinking` needs a value, which it does not; others it leaves out. */
const MEASURED = flagTable({
  none: '--act -a --yolo -y',
  one: '--team-name',
  optional: '--thinking --reasoning-effort',
})

export const cline = plainAgent({
  id: 'cline',
  label: 'Cline',
  recognise: { names: ['cline'], paths: ['/node_modules/cline/'] },
  idPattern: /^\d{10,16}_[0-9A-Za-z]{3,32}$/,
  resume: (id) => ['--id', id],
  flags: {
    grammar: 'commander',
    takes: { ...CLINE_FLAGS, ...MEASURED },
    choosing: ['--id'],
    once: ['--worktree'],
    notConversation: wordsOf(`
      -h --help -V --version --acp --cline-hub-daemon --kanban --update -z --zen
      auth config connect dashboard doctor h history hook hub kanban mcp plugin schedule skill update version
    `),
  },
  configEnv: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_SESSION_DATA_DIR'],
  exitHint: /Continue cline --id (\d{10,16}_[0-9A-Za-z]{3,32})/,
  findings: clineFindings,
  transcript: clineTranscript,
  reading: clineReading,
  shown: shownBy({
    asks: { question: /^\s*Cline needs permission\b/, choice: /^\s*\[y\] Approve\s+\[n\] Deny/ },
    prompt: /^\s*❯ /,
    // Its files tell of work and rest. Before the first prompt there are none.
    rests: /^\s*❯ What can I do for you\?/,
  }),
})
