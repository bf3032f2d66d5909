/** Gemini CLI. Its conversations lie in a directory per project; no file says which process has which. */

import { flagTable, wordsOf } from './flags/flagTable.ts'
import { GEMINI_FLAGS } from './flags/gemini.ts'
import { geminiFindings, geminiReading, geminiTranscript } from './geminiFiles.ts'
import { plainAgent } from './plainAgent.ts'
import { shownBy } from './shown.ts'

/** Its --help calls some a list that take one value, which commas divide; others it leaves out. */
const MEASURED = flagTable({
  one: `
    --policy --admin-policy --allowed-mcp-server-names --allowed-tools --extensions -e --include-directories
    --fake-responses --fake-responses-non-strict --record-responses
  `,
})

export const gemini = plainAgent({
  id: 'gemini',
  label: 'Gemini CLI',
  recognise: { names: ['gemini'], paths: ['/@google/gemini-cli/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    grammar: 'yargs',
    takes: { ...GEMINI_FLAGS, ...MEASURED },
    choosing: ['-r', '--resume', '--session-id', '--session-file'],
    prompting: ['-i', '--prompt-interactive'],
    once: ['-w', '--worktree'],
    notConversation: wordsOf(`
      -h --help -v --version -p --prompt --acp --experimental-acp -l --list-extensions --list-sessions --delete-session
      mcp extension extensions skill skills hook hooks gemma
    `),
  },
  configEnv: ['GEMINI_CLI_HOME'],
  // A signal makes it leave without a word.
  quit: { kind: 'keys', keys: ['C-c', 'C-c', 'C-c'], everyMs: 400 },
  exitHint: /To ?resume ?this ?session: ?gemini ?--resume ?([0-9a-f-]{36})/i,
  findings: geminiFindings,
  transcript: geminiTranscript,
  reading: geminiReading,
  shown: shownBy({
    asks: { question: /^\s*│ (?:\? \S|Allow\b|Apply\b|Do you\b)/, choice: /^\s*│ ● \d+\. \S/ },
    titles: [
      [/^✋/, 'needs-you'],
      [/^✦/, 'working'],
      [/^◇/, 'idle'],
    ],
    prompt: /^ [>!*] /,
    busy: /^\s*[⠀-⣿] .*\(esc to cancel/,
    busyAbove: 5,
  }),
})
