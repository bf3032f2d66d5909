/** Terminals in words, for people. */
import { assertNever } from '../base/assertNever.ts'
import type { AgentView, TerminalView } from '../wire/view.ts'
import type { ExitStatus } from '../workspace/terminal.ts'

export const statusText = (status: ExitStatus): string => ('code' in status ? `exit ${status.code}` : `killed by ${status.signal}`)

/** Why it was put to sleep by itself. */
const SLEPT_BY = { idle: 'idle', memory: 'low memory' } as const

export function becauseText(because: NonNullable<TerminalView['because']>): string {
  switch (because.kind) {
    case 'slept':
      return because.by === undefined ? 'slept' : `slept: ${SLEPT_BY[because.by]}`
    case 'exited':
      return statusText(because.status)
    case 'lost':
      return 'lost'
    case 'failed':
      return `failed: ${because.reason}`
  }
  return assertNever(because)
}

export function stateText({ state, because, trouble }: Pick<TerminalView, 'state' | 'because' | 'trouble'>): string {
  if (because !== null) return `${state} (${becauseText(because)})`
  return trouble === null ? state : `${state} (unreachable)`
}

const AGENT_WORDS: Readonly<Record<AgentView['state'], string>> = {
  working: 'working',
  'needs-you': 'needs you',
  done: 'done',
  idle: 'idle',
  unknown: '',
}

/** As in `claude needs you 3m`; of an agent of which nobody knows how it does, only its name. */
export function agentText({ name, state, since }: Pick<AgentView, 'name' | 'state' | 'since'>, now: number): string {
  return state === 'unknown' ? name : `${name} ${AGENT_WORDS[state]} ${ageText(Math.max(0, now - since))}`
}

export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** The largest whole unit: how old, not how exactly. */
export function ageText(ms: number): string {
  for (const [unit, length] of UNITS) if (ms >= length) return `${Math.floor(ms / length)}${unit}`
  return '0s'
}

export const mib = (bytes: number): string => `${Math.ceil(bytes / (1 << 20))} MiB`

/** In the user's own time, to the second. */
export function timeText(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}
