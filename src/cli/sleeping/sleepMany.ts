/** Puts all terminals to sleep, or those that are idle: side by side, each said as it falls asleep, and what was left alone with why. */
import { done, type Result } from '../../base/refusal.ts'
import type { TerminalView } from '../../wire/view.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { ageText, mib } from '../format.ts'
import type { Host } from '../host.ts'
import { letGoText } from './letGoText.ts'

export type ManyWish = {
  readonly force: boolean
  readonly isJson: boolean
  /** Null: however long they have been idle. */
  readonly idleMs: number | null
}

export type Left = { readonly id: string; readonly name: string | null; readonly why: string }

export async function sleepMany(host: Host, wish: ManyWish): Promise<Result<ExitCode>> {
  const listed = await host.ask('terminal.list', {})
  if (!listed.ok) return listed
  // A guest that is idle holds nothing that could be freed.
  const live = listed.value.result.filter(({ state, backend }) => state === 'live' && (wish.idleMs === null || backend !== 'guest'))
  const { idle, busy } = partedByIdleness(live, wish.idleMs, Date.now())
  const left: Left[] = [...busy]
  const slept: TerminalView[] = []
  const say = (text: string): void => (wish.isJson ? undefined : host.print(text))
  for (const one of busy) say(leftText(one))
  await Promise.all(
    idle.map(async ({ id, name }) => {
      const answer = await host.ask('terminal.sleep', { terminal: id, force: wish.force })
      const why = answer.ok ? null : answer.refusal.message
      if (answer.ok) slept.push(answer.value.result)
      else left.push({ id, name, why: why ?? '' })
      say(answer.ok ? sleptText(answer.value.result) : leftText({ id, name, why: why ?? '' }))
    }),
  )
  if (wish.isJson) host.printJson({ slept, left, freedBytes: freedBy(slept) })
  else host.print(summaryOf(slept, { live: live.length, left: left.length }))
  return done(EXIT.done)
}

export function partedByIdleness(
  live: readonly TerminalView[],
  idleMs: number | null,
  now: number,
): { readonly idle: readonly TerminalView[]; readonly busy: readonly Left[] } {
  if (idleMs === null) return { idle: live, busy: [] }
  const isIdle = ({ activeAt, since }: TerminalView): boolean => now - (activeAt ?? since) >= idleMs
  const busy = live.filter((terminal) => !isIdle(terminal))
  return {
    idle: live.filter(isIdle),
    busy: busy.map(({ id, name, activeAt, since }) => ({
      id,
      name,
      why: `it was active ${ageText(Math.max(0, now - (activeAt ?? since)))} ago.`,
    })),
  }
}

const nameOf = ({ id, name }: Pick<TerminalView, 'id' | 'name'>): string => name ?? id

const freedOf = ({ because }: TerminalView): number => (because?.kind === 'slept' ? (because.context?.freedBytes ?? 0) : 0)
const freedBy = (slept: readonly TerminalView[]): number => slept.reduce((sum, terminal) => sum + freedOf(terminal), 0)

const sleptText = (terminal: TerminalView): string => {
  if (terminal.backend === 'guest') return letGoText(terminal)
  const freed = freedOf(terminal)
  return `${nameOf(terminal)} is asleep${freed === 0 ? '' : `, ${mib(freed)} freed`}`
}

const leftText = (left: Left): string => `${nameOf(left)} was left running: ${left.why}`

export function summaryOf(slept: readonly TerminalView[], { live, left }: { readonly live: number; readonly left: number }): string {
  if (live === 0) return 'Nothing to do: no terminal is live.'
  const freed = freedBy(slept)
  const guests = slept.filter(({ backend }) => backend === 'guest').length
  const goOn = guests === 0 ? '' : `, of which ${guests} ${guests === 1 ? 'goes' : 'go'} on in your tmux`
  const count = slept.length === 0 ? 'No terminal was' : slept.length === 1 ? '1 terminal was' : `${slept.length} terminals were`
  return `${count} put to sleep${goOn}${freed === 0 ? '' : `, ${mib(freed)} of memory freed`}${left === 0 ? '' : `; ${left} left running`}.`
}
