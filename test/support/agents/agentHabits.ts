import type { AgentName } from './installAgents.ts'

/** How a person knows and does things in each agent. */
export type Habits = {
  /** On the screen when it takes a prompt; as a regular expression. */
  readonly ready: string
  readonly startOver: string
  readonly quit: string
  /** Files of its conversations below HOME; the id stands in the path, or only in the file. */
  readonly transcripts: RegExp
}

export const HABITS: Readonly<Record<AgentName, Habits>> = {
  claude: { ready: '❯', startOver: '/clear', quit: '/exit', transcripts: /\.claude\/projects\/.*\.jsonl$/ },
  codex: { ready: '› ', startOver: '/new', quit: '/quit', transcripts: /\.codex\/sessions\/.*\.jsonl$/ },
  gemini: { ready: 'Type your message', startOver: '/clear', quit: '/quit', transcripts: /\.gemini\/tmp\/.*\/chats\/.*\.jsonl$/ },
  opencode: { ready: 'Ask anything|ctrl\\+p', startOver: '/new', quit: '/exit', transcripts: /\.local\/share\/opencode\/opencode\.db/ },
}
