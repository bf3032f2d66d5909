import type { AgentName } from './installAgents.ts'
import type { StoryId } from './matrix/cell.ts'

/** What a person knows and does in each agent. One more agent is one more row. */
export type Habits = {
  /** Words that it needs on each command line; codex has another mode, with tests of its own. */
  readonly always: readonly string[]
  /** On the screen when it takes a prompt; as a regular expression. */
  readonly ready: string
  readonly startOver: string
  readonly quit: string
  /** Makes it replace the conversation by a summary, which the model writes or which it makes itself. */
  readonly compact: { readonly command: string; readonly by: 'model' | 'agent'; readonly shows: string }
  /** How it asks whether it may run a command; null where it never does. */
  readonly asking: Asking | null
  /** Flags that forbid something, and how that is seen: the model is not told of a tool, or the user is asked. */
  readonly restriction: { readonly flags: readonly string[]; readonly isKept: { readonly lacks: RegExp } | 'it asks' }
  /** Killed in the middle of an answer, it does not have the prompt of that answer when it is resumed. */
  readonly losesInterrupted?: true
  /** Stories that cannot be told of it, each with the reason. */
  readonly impossible?: Partial<Readonly<Record<StoryId, string>>>
  /** Flags with which it runs commands unasked, and how another one of it is told one thing and ends. */
  readonly unasked: readonly string[]
  readonly once: readonly string[]
  /** Files of its conversations below HOME; the id stands in the path, or only in the file. */
  readonly transcripts: RegExp
}

/** Started with these flags it shows this; these keys allow it, or refuse it. */
type Asking = {
  readonly args: readonly string[]
  readonly shows: string
  readonly allow: string
  readonly refuse: readonly string[]
}

export const HABITS: Readonly<Record<AgentName, Habits>> = {
  claude: {
    always: [],
    ready: '❯',
    startOver: '/clear',
    quit: '/exit',
    compact: { command: '/compact', by: 'model', shows: 'Compacted|compacted' },
    asking: { args: ['--permission-mode', 'default'], shows: 'Do you want to proceed', allow: 'Enter', refuse: ['Escape'] },
    restriction: { flags: ['--disallowedTools', 'Bash'], isKept: { lacks: /^Bash$/ } },
    unasked: ['--permission-mode', 'default', '--allowedTools', 'Bash'],
    once: ['-p'],
    transcripts: /\.claude\/projects\/.*\.jsonl$/,
  },
  codex: {
    always: ['--no-daemon'],
    ready: '› [\\s\\S]*fake-model',
    startOver: '/new',
    quit: '/quit',
    compact: { command: '/compact', by: 'model', shows: 'compacted' },
    asking: {
      args: ['--ask-for-approval', 'on-request', '--sandbox', 'workspace-write'],
      shows: 'Would you like to',
      allow: 'Enter',
      refuse: ['Escape'],
    },
    restriction: { flags: ['--ask-for-approval', 'on-request', '--sandbox', 'read-only'], isKept: 'it asks' },
    unasked: ['--dangerously-bypass-approvals-and-sandbox'],
    once: ['exec', '--skip-git-repo-check'],
    transcripts: /\.codex\/sessions\/.*\.jsonl$/,
  },
  gemini: {
    always: [],
    ready: 'Type your message',
    startOver: '/clear',
    quit: '/quit',
    compact: { command: '/compress', by: 'model', shows: 'ompressed' },
    asking: { args: ['--approval-mode', 'default'], shows: 'Allow', allow: 'Enter', refuse: ['Escape'] },
    restriction: { flags: ['--approval-mode', 'plan'], isKept: { lacks: /^run_shell_command$/ } },
    unasked: ['--approval-mode', 'yolo'],
    once: ['-p'],
    transcripts: /\.gemini\/tmp\/.*\/chats\/.*\.jsonl$/,
  },
  opencode: {
    always: [],
    ready: 'Ask anything|ctrl\\+p',
    startOver: '/new',
    quit: '/exit',
    compact: { command: '/compact', by: 'model', shows: 'Compaction' },
    asking: { args: ['--agent', 'careful'], shows: 'Permission required', allow: 'Enter', refuse: ['Escape', 'Enter'] },
    restriction: { flags: ['--agent', 'careful'], isKept: 'it asks' },
    unasked: [],
    once: ['run'],
    transcripts: /\.local\/share\/opencode\/opencode\.db/,
  },
  qwen: {
    always: [],
    ready: 'Type your message',
    startOver: '/clear',
    quit: '/quit',
    compact: { command: '/compress', by: 'model', shows: 'ompressed' },
    asking: { args: ['--approval-mode', 'default'], shows: 'Allow', allow: 'Enter', refuse: ['Escape'] },
    restriction: { flags: ['--exclude-tools', 'run_shell_command'], isKept: { lacks: /^run_shell_command$/ } },
    unasked: ['--approval-mode', 'yolo'],
    once: ['-p'],
    transcripts: /\.qwen\/projects\/.*\/chats\/.*\.jsonl$/,
  },
  pi: {
    always: [],
    ready: 'fake-model',
    startOver: '/new',
    quit: '/quit',
    compact: { command: '/compact', by: 'model', shows: 'ompacted' },
    asking: null,
    restriction: { flags: ['--no-tools'], isKept: { lacks: /./ } },
    unasked: [],
    once: ['-p'],
    transcripts: /\.pi\/agent\/sessions\/.*\.jsonl$/,
  },
  copilot: {
    always: [],
    ready: '/ commands',
    startOver: '/clear',
    quit: '/exit',
    compact: { command: '/compact', by: 'model', shows: 'ompact' },
    asking: { args: [], shows: '(Do you want|Would you like) to', allow: 'Enter', refuse: ['Escape'] },
    restriction: { flags: ['--excluded-tools=bash'], isKept: { lacks: /^bash$/ } },
    unasked: ['--allow-all-tools'],
    once: ['-p'],
    transcripts: /\.copilot\/session-state\/[^/]+\/events\.jsonl$/,
  },
  kilo: {
    always: [],
    ready: 'Ask anything|ctrl\\+p',
    startOver: '/new',
    quit: '/exit',
    compact: { command: '/compact', by: 'model', shows: 'Compaction' },
    asking: { args: ['--agent', 'careful'], shows: 'Permission required', allow: 'Enter', refuse: ['Escape', 'Enter'] },
    restriction: { flags: ['--agent', 'careful'], isKept: 'it asks' },
    unasked: [],
    once: ['run'],
    transcripts: /\.local\/share\/kilo\/kilo\.db/,
  },
  cline: {
    always: [],
    ready: 'What can I do for you|Ask anything',
    startOver: '/new',
    quit: '/exit',
    compact: { command: '/compact', by: 'agent', shows: 'Context compacted' },
    asking: { args: ['--auto-approve', 'false'], shows: 'Approve tool call', allow: 'Enter', refuse: ['n'] },
    restriction: { flags: ['--auto-approve', 'false'], isKept: 'it asks' },
    losesInterrupted: true,
    unasked: [],
    once: [],
    transcripts: /\.cline\/data\/sessions\//,
  },
}
