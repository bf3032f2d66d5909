/** Claude Code. Its registry names the conversation of each process, its projects hold the transcripts. */

import { claudeFindings, claudeReading, claudeTranscript } from './claudeFiles.ts'
import { plainAgent } from './plainAgent.ts'
import { SPINNER, shownBy } from './shown.ts'

export const claude = plainAgent({
  id: 'claude',
  label: 'Claude Code',
  // The native installer runs a file that is named after its version.
  recognise: { names: ['claude'], paths: ['/@anthropic-ai/claude-code/', '/share/claude/versions/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    withValue: [
      '--model',
      '--fallback-model',
      '--effort',
      '--permission-mode',
      '--agent',
      '--agents',
      '--append-system-prompt',
      '--append-system-prompt-file',
      '--system-prompt',
      '--system-prompt-file',
      '--system-prompt-snapshot',
      '--settings',
      '--setting-sources',
      '--plugin-dir',
      '--plugin-url',
      '--autocompact',
    ],
    withMany: [
      '--add-dir',
      '--allowedTools',
      '--allowed-tools',
      '--disallowedTools',
      '--disallowed-tools',
      '--tools',
      '--mcp-config',
      '--betas',
    ],
    alone: [
      '--strict-mcp-config',
      '--dangerously-skip-permissions',
      '--allow-dangerously-skip-permissions',
      '--disable-slash-commands',
      '--ide',
      '--chrome',
      '--no-chrome',
      '--bare',
      '--restricted',
      '--safe-mode',
      '--brief',
      '--verbose',
      '--ax-screen-reader',
    ],
    droppedWithValue: ['--session-id', '--name', '-n', '--debug-file', '--environment', '--remote-control-session-name-prefix'],
    choosing: ['--resume', '-r', '--continue', '-c', '--session-id', '--from-pr', '--fork-session', '--teleport'],
    notConversation: [
      ...['-p', '--print', '-h', '--help', '-v', '--version', '--bg', '--background', '--cloud', '--desktop'],
      ...['agents', 'attach', 'auth', 'auto-mode', 'config', 'doctor', 'gateway', 'import', 'install', 'kill', 'logs', 'mcp'],
      ...['plugin', 'plugins', 'purge', 'remote-control', 'respawn', 'rm', 'setup-token', 'stop', 'ultrareview', 'update', 'upgrade'],
    ],
  },
  configEnv: ['CLAUDE_CONFIG_DIR'],
  quit: { kind: 'signal', signal: 'SIGTERM' },
  exitHint: /Resume this session with: ?claude (?:\S+ ){0,60}?--resume ([0-9a-f-]{36})/i,
  findings: claudeFindings,
  transcript: claudeTranscript,
  reading: claudeReading,
  shown: shownBy({
    asks: [/\b(?:Do you want|Would you like) to\b.*\?/, /^\s*❯ 1\. Yes/],
    titles: [
      [SPINNER, 'working'],
      [/^✳/, 'idle'],
    ],
  }),
})
