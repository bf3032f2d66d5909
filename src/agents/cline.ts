/** Cline. Its conversations lie in one place for all projects, each with the process, the directory and the status. */
import { clineFindings, clineReading, clineTranscript } from './clineFiles.ts'
import { plainAgent } from './plainAgent.ts'
import { shownBy } from './shown.ts'

export const cline = plainAgent({
  id: 'cline',
  label: 'Cline',
  recognise: { names: ['cline'], paths: ['/node_modules/cline/'] },
  idPattern: /^\d{10,16}_[0-9A-Za-z]{3,32}$/,
  resume: (id) => ['--id', id],
  flags: {
    withValue: ['-m', '--model', '--config', '--data-dir'],
    droppedWithValue: ['--id'],
    choosing: ['--id'],
    notConversation: ['-h', '--help', '-v', '--version', '--cline-hub-daemon', 'auth', 'config', 'history', 'mcp', 'version'],
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
