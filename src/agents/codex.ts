/** Codex. It holds the transcript of its conversation open, or leaves both to a server of its own that all its terminals share. */

import { codexFindings, codexReading, codexTranscript } from './codexFiles.ts'
import { plainAgent } from './plainAgent.ts'
import { SPINNER, shownBy } from './shown.ts'

export const codex = plainAgent({
  id: 'codex',
  label: 'Codex',
  recognise: { names: ['codex'], paths: ['/@openai/codex/'] },
  resume: (id) => ['resume', id],
  flags: {
    withValue: [
      ...['-m', '--model', '-p', '--profile', '-s', '--sandbox', '-a', '--ask-for-approval', '-c', '--config', '-C', '--cd'],
      ...['--add-dir', '--enable', '--disable', '--local-provider', '--remote', '--remote-auth-token-env'],
    ],
    alone: [
      ...['--full-auto', '--oss', '--no-daemon', '--search', '--no-alt-screen', '--strict-config', '--approve-for-me'],
      ...['--dangerously-bypass-approvals-and-sandbox', '--yolo', '--dangerously-bypass-hook-trust'],
    ],
    droppedWithValue: ['-i', '--image'],
    choosing: ['resume', 'fork'],
    notConversation: [
      ...['-h', '--help', '-V', '--version', 'a', 'agents', 'app-server', 'apply', 'archive', 'cloud', 'completion', 'debug', 'delete'],
      ...['doctor', 'e', 'exec', 'exec-server', 'features', 'help', 'login', 'logout', 'mcp', 'mcp-server', 'migrate-nfs-db'],
      ...[
        'migrate-rollouts',
        'plugin',
        'proto',
        'queue',
        'remote-control',
        'responses-api-proxy',
        'review',
        'sandbox',
        'unarchive',
        'update',
      ],
    ],
  },
  configEnv: ['CODEX_HOME', 'CODEX_SQLITE_HOME'],
  // Signals make it leave without a word and with the terminal in disorder. One press leaves; while it works or text is typed it takes more.
  quit: { kind: 'keys', keys: ['C-c', 'C-c', 'C-c'], everyMs: 400 },
  exitHint: /To (?:continue this session|reconnect), run: ?codex resume ([0-9a-f-]{36})/i,
  findings: codexFindings,
  transcript: codexTranscript,
  reading: codexReading,
  shown: shownBy({
    asks: [/\bWould you like to\b.*\?/, /^\s*› 1\. Yes/],
    lines: [
      [/^\s*[•◦] .*\besc to interrupt\b/, 'working'],
      [/^› Ask Codex to do anything/, 'idle'],
    ],
    titles: [[SPINNER, 'working']],
  }),
})
