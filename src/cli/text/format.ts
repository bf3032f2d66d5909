/** Terminals, paths and times in words. */
import { assertNever } from '../../base/assertNever.ts'
import { ageText } from '../../base/format.ts'
import { type AgentView, type Because, type TerminalView, troubleOf } from '../../wire/view.ts'
import type { ExitStatus } from '../../workspace/terminal/terminal.ts'

export const statusText = (status: ExitStatus): string => ('code' in status ? `exit ${status.code}` : `killed by ${status.signal}`)

/** Why Holdfast put it to sleep. */
const SLEPT_BY = { idle: 'idle', memory: 'low memory' } as const

export function becauseText(because: Because): string {
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

export function stateText(terminal: TerminalView): string {
  if (terminal.state === 'asleep') return `asleep (${becauseText(terminal.because)})`
  return troubleOf(terminal) === null ? terminal.state : `${terminal.state} (unreachable)`
}

const AGENT_WORDS: Readonly<Record<AgentView['state'], string>> = {
  working: 'working',
  'needs-you': 'needs you',
  done: 'done',
  idle: 'idle',
  unknown: '',
}

/** As in `claude needs you 3m`; only the name if the state is unknown. */
export function agentText({ name, state, since }: Pick<AgentView, 'name' | 'state' | 'since'>, now: number): string {
  return state === 'unknown' ? name : `${name} ${AGENT_WORDS[state]} ${ageText(Math.max(0, now - since))}`
}

export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

/** In local time, to the second. */
export function timeText(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}
