import { ageText, mib } from '../../base/format.ts'
import { done, lossesIn, type Result } from '../../base/refusal.ts'
import { becauseOf, type TerminalView } from '../../wire/view.ts'
import { forEach } from '../core/answers.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import { usage } from '../core/parse.ts'
import { parseSpan } from '../core/parseTime.ts'
import { confirm } from '../core/questions.ts'
import type { Cli, Verb } from '../core/verb.ts'

export const verb: Verb = {
  name: 'sleep',
  summary: 'Put terminals to sleep; screen, history and place stay.',
  operands: '[id...]',
  options: [
    { flags: '--idle <span>', help: 'all terminals idle at least this long: 30m, 2h, 1d' },
    { flags: '--all', help: 'all terminals that would lose nothing' },
    { flags: '--force', help: 'sleep even if work would be lost' },
  ],
  details: [
    'Ends the program after giving it time to settle.',
    'Without --force, refuses to sleep a terminal that would lose something: its agent',
    'is working, waiting for an answer or in an unknown state; programs are running in',
    'it; its conversation is not known; its program would start from the beginning; or',
    'it is private. In an interactive shell, the command asks instead.',
    '--idle and --all leave such terminals running and list them; --all --force sleeps',
    'them too. With --json they print {"slept", "left", "freedBytes"}.',
    'A guest of your own tmux is only detached: its program keeps running there.',
  ],
  example: ['holdfast sleep api', 'holdfast sleep --idle 2h', 'holdfast sleep --all'],
  run: async (cli, input) => {
    const idle = input.text('idle')
    const force = input.flag('force')
    const ways = [input.operands.length > 0, idle !== undefined, input.flag('all')].filter(Boolean)
    if (ways.length === 0) return usage('nothing to sleep: name terminals, or use --idle SPAN or --all')
    if (ways.length > 1) return usage('use only one of: terminals, --idle SPAN, --all')
    if (input.operands.length > 0) return await sleepNamed(input.operands, cli, force)
    if (idle === undefined) return await sleepMany(cli, { force, idleMs: null })
    if (force) return usage('--idle and --force exclude each other; name the terminals to force')
    const span = parseSpan(idle)
    return span.ok ? await sleepMany(cli, { force, idleMs: span.value }) : span
  },
}

/** In an interactive shell, a refusal becomes a question. */
async function sleepNamed(refs: readonly string[], cli: Cli, force: boolean): Promise<Result<ExitCode>> {
  const slept: TerminalView[] = []
  const outcome = await forEach(refs, cli, async (terminal) => {
    const first = await cli.ask('terminal.sleep', { terminal, force })
    const answer = !first.ok && (await isAgreed(first, cli)) ? await cli.ask('terminal.sleep', { terminal, force: true }) : first
    if (answer.ok) slept.push(answer.value.result)
    if (answer.ok && !cli.isJson && answer.value.result.backend === 'guest') cli.print(releasedText(answer.value.result))
    return answer
  })
  if (cli.isJson) cli.printJson(slept)
  return outcome
}

async function isAgreed({ refusal }: Extract<Result<unknown>, { readonly ok: false }>, cli: Cli): Promise<boolean> {
  if (refusal.code !== 'would-lose' || cli.stdin.isTTY !== true) return false
  return await confirm(`${refusal.message} Sleep anyway?`, cli)
}

type Left = { readonly id: string; readonly name: string | null; readonly why: string }

/** Side by side; each is printed as it falls asleep, or with the reason why it keeps running. `idleMs` is null for --all. */
async function sleepMany(
  cli: Cli,
  { force, idleMs }: { readonly force: boolean; readonly idleMs: number | null },
): Promise<Result<ExitCode>> {
  const listed = await cli.ask('terminal.list', {})
  if (!listed.ok) return listed
  // Detaching an idle guest would free no memory.
  const live = listed.value.result.filter(({ state, backend }) => state === 'live' && (idleMs === null || backend !== 'guest'))
  const { idle, busy } = partedByIdleness(live, idleMs, Date.now())
  const left: Left[] = [...busy]
  const slept: TerminalView[] = []
  const say = (text: string): void => (cli.isJson ? undefined : cli.print(text))
  for (const one of busy) say(leftText(one))
  await Promise.all(
    idle.map(async ({ id, name }) => {
      const answer = await cli.ask('terminal.sleep', { terminal: id, force: force })
      const why = answer.ok ? null : lossesIn(answer.refusal.message)
      if (answer.ok) slept.push(answer.value.result)
      else left.push({ id, name, why: why ?? '' })
      say(answer.ok ? sleptText(answer.value.result) : leftText({ id, name, why: why ?? '' }))
    }),
  )
  if (cli.isJson) cli.printJson({ slept, left, freedBytes: freedBy(slept) })
  else cli.print(summaryOf(slept, { live: live.length, left: left.length }))
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

const freedOf = (terminal: TerminalView): number => {
  const because = becauseOf(terminal)
  return because?.kind === 'slept' ? (because.context?.freedBytes ?? 0) : 0
}
const freedBy = (slept: readonly TerminalView[]): number => slept.reduce((sum, terminal) => sum + freedOf(terminal), 0)

/** A guest keeps running. */
const releasedText = (guest: TerminalView): string => `${nameOf(guest)} released; its program keeps running in your tmux`

const sleptText = (terminal: TerminalView): string => {
  if (terminal.backend === 'guest') return releasedText(terminal)
  const freed = freedOf(terminal)
  return `${nameOf(terminal)} is asleep${freed === 0 ? '' : `, ${mib(freed)} freed`}`
}

const leftText = (left: Left): string => `${nameOf(left)} was left running: ${left.why}`

export function summaryOf(slept: readonly TerminalView[], { live, left }: { readonly live: number; readonly left: number }): string {
  if (live === 0) return 'Nothing to do: no terminal is live.'
  const freed = freedBy(slept)
  const guests = slept.filter(({ backend }) => backend === 'guest').length
  const goOn = guests === 0 ? '' : `, of which ${guests} ${guests === 1 ? 'keeps' : 'keep'} running in your tmux`
  const count = slept.length === 0 ? 'No terminal was' : slept.length === 1 ? '1 terminal was' : `${slept.length} terminals were`
  return `${count} put to sleep${goOn}${freed === 0 ? '' : `, ${mib(freed)} of memory freed`}${left === 0 ? '' : `; ${left} left running`}.`
}
