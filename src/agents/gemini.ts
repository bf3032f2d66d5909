/** Gemini CLI. Its conversations lie in a directory per project; no file says which process has which. */

import { geminiFindings, geminiReading, geminiTranscript } from './geminiFiles.ts'
import { plainAgent } from './plainAgent.ts'
import { shownBy } from './shown.ts'

export const gemini = plainAgent({
  id: 'gemini',
  label: 'Gemini CLI',
  recognise: { names: ['gemini'], paths: ['/@google/gemini-cli/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    withValue: ['-m', '--model', '--approval-mode'],
    withMany: [
      ...['--include-directories', '--policy', '--admin-policy', '--allowed-mcp-server-names', '--allowed-tools', '-e', '--extensions'],
    ],
    alone: ['-d', '--debug', '-s', '--sandbox', '-y', '--yolo', '--skip-trust', '--screen-reader'],
    droppedWithValue: ['--session-id', '--session-file', '-o', '--output-format'],
    choosing: ['-r', '--resume', '--session-id', '--session-file'],
    notConversation: [
      ...['-h', '--help', '-v', '--version', '-p', '--prompt', '--acp', '--experimental-acp', '-l', '--list-extensions'],
      ...['--list-sessions', '--delete-session', 'mcp', 'extension', 'extensions', 'skill', 'skills', 'hook', 'hooks', 'gemma'],
    ],
  },
  configEnv: ['GEMINI_CLI_HOME'],
  // A signal makes it leave without a word.
  quit: { kind: 'keys', keys: ['C-c', 'C-c', 'C-c'], everyMs: 400 },
  exitHint: /To ?resume ?this ?session: ?gemini ?--resume ?([0-9a-f-]{36})/i,
  findings: geminiFindings,
  transcript: geminiTranscript,
  reading: geminiReading,
  shown: shownBy({
    titles: [
      [/^✋/, 'needs-you'],
      [/^✦/, 'working'],
      [/^◇/, 'idle'],
    ],
  }),
})
