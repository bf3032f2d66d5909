/** What can only be read: what it is called, and how it is asked for and told. */
import { assertNever } from '../../base/assertNever.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import type { Reading } from '../state/overlay.ts'
import type { Page } from '../state/page.ts'
import { howLong, nameOf } from '../state/words.ts'

export type Told = {
  readonly title: string
  readonly hint: string
  /** Sentences, whose lines may be broken anywhere. */
  readonly isProse?: true
  readonly load: () => Promise<Result<string>>
}

export function tell(reading: Reading, page: Page, now: number): Told {
  const named = (id: string): string => {
    const terminal = page.mirror.terminal(id)
    return terminal === null ? id : nameOf(terminal)
  }
  switch (reading.kind) {
    case 'terminal':
      return {
        title: `“${named(reading.terminal)}” as text`,
        hint: 'Its history and screen, oldest line first.',
        load: () => mapped(page.ask('terminal.read', { terminal: reading.terminal, history: 'all', format: 'text' }), textOf),
      }
    case 'agentLog':
      return {
        title: `Agent detection log of “${named(reading.terminal)}”`,
        hint: 'Which agents and conversations were detected, and why; newest first.',
        load: () => mapped(page.ask('agent.log', { terminal: reading.terminal }), agentLogText),
      }
    case 'daemon':
      return { title: 'Daemon status', hint: '', load: () => mapped(page.ask('daemon.status', {}), (status) => statusText(status, now)) }
    case 'login':
      return {
        title: 'Log in another browser',
        hint: 'This link logs in one browser, once, within ten minutes. Anyone who has it gets full access.',
        load: () => mapped(page.ask('web.login', {}), ({ url }) => url),
      }
    case 'notices':
      return {
        title: 'Third-party notices',
        hint: 'Third-party software in Holdfast, and its licenses.',
        isProse: true,
        load: notices,
      }
    case 'authLog':
      return {
        title: 'Login log',
        hint: 'Logins, refusals and revocations, newest first.',
        load: () => mapped(page.ask('device.log', { limit: 200 }), authLogText),
      }
    default:
      return assertNever(reading)
  }
}

/** A file beside the page, written by the build. */
async function notices(): Promise<Result<string>> {
  try {
    const reply = await fetch('/THIRD-PARTY-NOTICES.txt')
    return reply.ok ? done(await reply.text()) : refused(refusals.daemonUnreachable(`it answered ${reply.status}`))
  } catch (error) {
    return refused(refusals.daemonUnreachable((error as Error).message))
  }
}

async function mapped<From>(asked: Promise<Result<From>>, words: (from: From) => string): Promise<Result<string>> {
  const answer = await asked
  return answer.ok ? done(words(answer.value)) : answer
}

/** The screen's empty end says nothing. */
const textOf = ({ content, faults }: Outcome<'terminal.read'>): string => [...faults, content.trimEnd()].join('\n')

export function agentLogText(entries: Outcome<'agent.log'>): string {
  if (entries.length === 0) return 'No agent was detected here.'
  return entries
    .map(({ at, event, agent, id, why }) => [new Date(at).toLocaleString(), `${event} ${agent}`, id, why].filter(Boolean).join('  '))
    .join('\n')
}

function authLogText(entries: Outcome<'device.log'>): string {
  if (entries.length === 0) return 'Nothing has been logged yet.'
  return entries.map(({ at, what, details }) => `${new Date(at).toLocaleString()}  ${what}  ${details}`).join('\n')
}

export function statusText(status: Outcome<'daemon.status'>, now: number): string {
  const { version, pid, startedAt, home, web, terminals, clients, snapshots, logs, troubles } = status
  const age = howLong(startedAt, now)
  return [
    `Version ${version}, process ${pid}, started ${age === 'now' ? 'just now' : `${age} ago`}`,
    `State directory: ${home}`,
    `Page: ${web.url ?? web.trouble ?? 'off'}`,
    `${terminals.live} terminals live, ${terminals.asleep} asleep, ${clients} clients`,
    `${snapshots.taken} snapshots taken${snapshots.inexact === 0 ? '' : `, ${snapshots.inexact} of them inexact`}`,
    `Logs: ${megabytes(logs.bytes)} of ${megabytes(logs.limit)} MB`,
    ...(troubles.length === 0 ? ['OK'] : troubles),
  ].join('\n')
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)
