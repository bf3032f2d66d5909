/** Codex. It holds the transcript of its conversation open, or leaves both to a server of its own that all its terminals share. */

import { codexFindings, codexReading, codexTranscript } from './codexFiles.ts'
import { CODEX_FLAGS } from './flags/codex.ts'
import { flagTable, wordsOf } from './flags/flagTable.ts'
import { plainAgent } from './plainAgent.ts'
import { SPINNER, shownBy } from './shown.ts'

export const codex = plainAgent({
  id: 'codex',
  label: 'Codex',
  recognise: { names: ['codex'], paths: ['/@openai/codex/'] },
  resume: (id) => ['resume', id],
  flags: {
    grammar: 'clap',
    takes: { ...CODEX_FLAGS, ...flagTable({ none: '--full-auto --yolo' }) },
    choosing: ['resume', 'fork', '--last', '--all', '--include-non-interactive'],
    prompting: ['-i', '--image'],
    once: ['--worktree'],
    notConversation: wordsOf(`
      -h --help -V --version a agents app-server apply archive cloud completion debug delete doctor e exec exec-server features help
      login logout mcp mcp-server migrate-nfs-db migrate-rollouts plugin proto queue remote-control responses-api-proxy review
      sandbox unarchive update
    `),
  },
  configEnv: ['CODEX_HOME', 'CODEX_SQLITE_HOME'],
  // Signals make it leave without a word and with the terminal in disorder. One press leaves; while it works or text is typed it takes more.
  quit: { kind: 'keys', keys: ['C-c', 'C-c', 'C-c'], everyMs: 400 },
  exitHint: /To (?:continue this session|reconnect), run: ?codex resume ([0-9a-f-]{36})/i,
  findings: codexFindings,
  transcript: codexTranscript,
  reading: codexReading,
  shown: shownBy({
    asks: { question: /^\s*Would you like to\b/, choice: /^\s*› \d+\. \S/ },
    titles: [
      [/^\[ . \] Action Required\b/, 'needs-you'],
      [SPINNER, 'working'],
    ],
    prompt: /^›(?! \d+\. )(?:\s|$)/,
    busy: /^\s*[•◦] .*\besc to interrupt\b/,
    busyAbove: 4,
  }),
})
