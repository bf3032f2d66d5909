import type { AgentName } from './installAgents.ts'

/** How a person knows and does things in each agent. */
export type Habits = {
  /** On the screen when it takes a prompt; as a regular expression. */
  readonly ready: string
  readonly startOver: string
  readonly quit: string
  /** Flags with which it runs commands unasked, and how another one of it is told one thing and ends. */
  readonly unasked: readonly string[]
  readonly once: readonly string[]
  /** Files of its conversations below HOME; the id stands in the path, or only in the file. */
  readonly transcripts: RegExp
}

export const HABITS: Readonly<Record<AgentName, Habits>> = {
  claude: {
    ready: '❯',
    startOver: '/clear',
    quit: '/exit',
    unasked: ['--permission-mode', 'default', '--allowedTools', 'Bash'],
    once: ['-p'],
    transcripts: /\.claude\/projects\/.*\.jsonl$/,
  },
  codex: {
    ready: '› [\\s\\S]*fake-model',
    startOver: '/new',
    quit: '/quit',
    unasked: ['--dangerously-bypass-approvals-and-sandbox'],
    once: ['exec', '--skip-git-repo-check'],
    transcripts: /\.codex\/sessions\/.*\.jsonl$/,
  },
  gemini: {
    ready: 'Type your message',
    startOver: '/clear',
    quit: '/quit',
    unasked: ['--approval-mode', 'yolo'],
    once: ['-p'],
    transcripts: /\.gemini\/tmp\/.*\/chats\/.*\.jsonl$/,
  },
  opencode: {
    ready: 'Ask anything|ctrl\\+p',
    startOver: '/new',
    quit: '/exit',
    unasked: [],
    once: ['run'],
    transcripts: /\.local\/share\/opencode\/opencode\.db/,
  },
}
