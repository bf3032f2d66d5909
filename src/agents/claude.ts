/** Claude Code. Its registry names the conversation of each process, its projects hold the transcripts. */

import { claudeFindings, claudeReading, claudeTranscript } from './claudeFiles.ts'
import { CLAUDE_FLAGS } from './flags/claude.ts'
import { flagTable, wordsOf } from './flags/flagTable.ts'
import { plainAgent } from './plainAgent.ts'
import { SPINNER, shownBy } from './shown.ts'

/** Its --help leaves these out. */
const HIDDEN = flagTable({
  none: '--cowork --debug-to-stderr -d2e --deep-link-origin --enable-auth-status --enable-auto-mode --init --init-only --maintenance',
  one: `
    --advisor --agent-color --agent-id --agent-name --append-subagent-system-prompt --append-subagent-system-prompt-file
    --append-system-prompt-file --fast-mode --inherit-permission-mode --managed-settings --max-thinking-tokens --max-turns
    --parent-session-id --permission-prompt-tool --plugin-dir-no-mcp --prefill --proactivity --session-began-as-copy
    --system-prompt-file --task-budget --team-name --teammate-mode --thinking --workload
  `,
  optional: '--rc --remote',
  many: '--channels --dangerously-load-development-channels',
})

export const claude = plainAgent({
  id: 'claude',
  label: 'Claude Code',
  // The native installer runs a file that is named after its version.
  recognise: { names: ['claude'], paths: ['/@anthropic-ai/claude-code/', '/share/claude/versions/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    grammar: 'commander',
    takes: { ...CLAUDE_FLAGS, ...HIDDEN },
    choosing: wordsOf(`
      --resume -r --continue -c --session-id --from-pr --fork-session --teleport --environment --parent-session-id --session-began-as-copy
    `),
    prompting: ['--file', '--prefill'],
    once: ['--worktree', '-w', '--tmux', '--name', '-n', '--init', '--maintenance', '--deep-link-origin'],
    notConversation: wordsOf(`
      -p --print -h --help -v --version --bg --background --cloud --remote --desktop --init-only
      agents attach auth auto-mode config doctor gateway import install kill logs mcp plugin plugins purge remote-control respawn rm
      setup-token stop ultrareview update upgrade
    `),
  },
  configEnv: ['CLAUDE_CONFIG_DIR'],
  quit: { kind: 'signal', signal: 'SIGTERM' },
  exitHint: /Resume this session with: ?claude (?:\S+ ){0,60}?--resume ([0-9a-f-]{36})/i,
  findings: claudeFindings,
  transcript: claudeTranscript,
  reading: claudeReading,
  shown: shownBy({
    asks: { question: /^\s*(?:Do you want|Would you like) to\b|\byou trust\b/, choice: /^\s+❯ \d+\. \S/ },
    titles: [
      [SPINNER, 'working'],
      [/^✳/, 'idle'],
    ],
    prompt: /^❯(?:\s|$)/,
    busy: /\besc to interrupt\b/,
  }),
})
