import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Outcome, Params } from '../../wire/commands.ts'
import { findTerminal } from '../../workspace/find.ts'
import { startLines } from '../../workspace/wouldStart.ts'
import { confirm } from '../confirm.ts'
import { forEach } from '../each.ts'
import type { ExitCode } from '../exit.ts'
import type { Host } from '../host.ts'
import { inheritedEnv } from '../inheritedEnv.ts'
import { usage } from '../parse.ts'
import { type Input, JSON_OPTION, type Verb } from '../verb.ts'
import { showPhases } from '../wakeProgress.ts'

/** Most programs that cannot resume say so within this time; of those that take longer, `ls` and the page tell. */
const WATCH_MS = 2_000

type Wish = Pick<Params<'terminal.wake'>, 'mode' | 'conversation' | 'withoutArguments' | 'asShown' | 'confirmed'>
type Woken = Outcome<'terminal.wake'>

export const verb: Verb = {
  name: 'wake',
  summary: 'Start the program of an asleep terminal again, in its place.',
  operands: '[id...]',
  completes: 'terminals',
  options: [
    { flags: '--resume', help: 'go on where it was, which is the usual' },
    { flags: '--fresh', help: 'start it as at first, with its original arguments' },
    { flags: '--conversation <conversation>', help: 'resume another conversation, by the agent’s own id' },
    { flags: '--trust', help: 'run the command of an imported terminal without asking' },
    { flags: '--without-arguments', help: 'run only the command of a private terminal, whose arguments were not stored' },
    { flags: '--as-shown', help: 'resume with the command line that was shown when the first was uncertain' },
    { flags: '--lost', help: 'all that were running when the machine went down, one after the other' },
    { flags: '--later', help: 'with --lost: leave them asleep; you are not asked again' },
    JSON_OPTION,
  ],
  details: [
    'A known conversation is resumed by its id, any other command as [resume] in config.toml says. Without either, an agent',
    'begins a new conversation with the same flags, and any other command starts as at first. Each line says what came back;',
    'with --json that is "back": resumed, new-conversation, shell-quit, shell-unknown or started. A resume that fails at once costs nothing: the last screen stays, and so does what can be resumed.',
    'The first wake of an imported terminal shows its command, directory and environment and asks; --lost and a wake of',
    'several terminals leave it asleep and say so.',
    'An agent is resumed with its flags, inside the sandbox, container or other wrapper that it ran in. Where that command line',
    'is not certain, nothing is started and both lines are shown: --as-shown runs the second one, from then on.',
  ],
  example: [
    'holdfast wake api',
    'holdfast wake --fresh api',
    'holdfast wake --conversation 0198f7c1-9c1e-7f50 agent',
    'holdfast wake --lost',
  ],
  run: async (input, host) => {
    const wish = wishOf(input)
    if (!wish.ok) return wish
    if (input.flag('lost')) return await wakeAllLost(input, host, wish.value)
    const hidePhases = input.flag('json') ? () => undefined : await showPhases(host, input.operands)
    const asked = new Map<string, Result<Woken>>()
    for (const terminal of input.operands) asked.set(terminal, await wakeConfirmed(terminal, wish.value, { input, host }))
    const outcomes = new Map<string, Result<Woken>>()
    await Promise.all([...asked].map(async ([ref, answer]) => outcomes.set(ref, answer.ok ? await watched(answer.value, host) : answer)))
    hidePhases()
    const woken = input.operands.flatMap((ref) => {
      const outcome = outcomes.get(ref)
      return outcome?.ok === true ? [outcome.value] : []
    })
    if (input.flag('json')) host.printJson(woken)
    else for (const terminal of woken) host.print(`${terminal.name ?? terminal.id} ${howText(terminal)}`)
    return await forEach(input.operands, host, (ref) => Promise.resolve(outcomes.get(ref) ?? done(null)))
  },
}

/** What came from another machine is shown before it runs; where nobody can be asked, it is left asleep. */
async function wakeConfirmed(
  ref: string,
  wish: Wish,
  { input, host }: { readonly input: Input; readonly host: Host },
): Promise<Result<Woken>> {
  const woken = await wake(ref, { ...wish, confirmed: input.flag('trust') }, host)
  if (woken.ok || woken.refusal.code !== 'imported-unconfirmed') return woken
  const listed = await host.ask('terminal.list', {})
  const found = listed.ok ? findTerminal(ref, listed.value.result) : listed
  const imported = found.ok ? found.value.imported : null
  if (!found.ok || imported === null) return woken
  const start = wish.mode === 'fresh' ? imported.fresh : imported.resume
  const other = wish.conversation === undefined ? [] : [`conversation ${wish.conversation} instead of the known one`]
  const lines = [...startLines(start), ...other].map((line) => `\n  ${line}`).join('')
  const shown = `"${found.value.name ?? found.value.id}" was imported from ${imported.from || 'another machine'}. It would run:${lines}`
  const isAsked = host.stdin.isTTY === true && input.operands.length === 1 && !input.flag('json')
  if (!isAsked) host.complain(shown)
  return isAsked && (await confirm(`${shown}\nWake it?`, host)) ? await wake(ref, { ...wish, confirmed: true }, host) : woken
}

function wishOf(input: Input): Result<Wish> {
  const conversation = input.text('conversation')
  const ways = [input.flag('resume'), input.flag('fresh'), input.flag('withoutArguments'), conversation !== undefined]
  if (ways.filter(Boolean).length > 1) return usage('say one way to wake: --resume, --fresh, --conversation or --without-arguments')
  const problem = whomProblem(input)
  if (problem !== null) return usage(problem)
  if (input.flag('withoutArguments')) return done({ mode: 'fresh', withoutArguments: true })
  if (input.flag('fresh')) return done({ mode: 'fresh' })
  const shown = input.flag('asShown') ? { asShown: true } : {}
  return done({ mode: 'resume', ...(conversation === undefined ? {} : { conversation }), ...shown })
}

function whomProblem(input: Input): string | null {
  const isLost = input.flag('lost')
  if (!isLost && input.operands.length === 0) return 'say which terminals to wake, or --lost'
  if (isLost && input.operands.length > 0) return '--lost is about all that were lost: name terminals without it'
  if (isLost && input.flag('trust')) return '--trust is about named terminals: imported ones are never among the lost'
  if (isLost && input.flag('withoutArguments')) return '--without-arguments is about terminals that you name, not about --lost'
  if (isLost && input.text('conversation') !== undefined) return '--conversation is about one terminal, not about --lost'
  if (input.flag('asShown') && (isLost || input.flag('fresh'))) return '--as-shown is about resuming the terminals that you name'
  if (input.flag('later') && !isLost) return '--later goes with --lost'
  return input.flag('later') && (input.flag('fresh') || input.flag('resume')) ? '--later wakes nothing' : null
}

async function wakeAllLost(input: Input, host: Host, { mode = 'resume' }: Wish): Promise<Result<ExitCode>> {
  const { leaveLost, wakeLost } = await import('../lost.ts')
  const isJson = input.flag('json')
  return input.flag('later') ? await leaveLost(host, { isJson }) : await wakeLost(host, { mode, isJson })
}

async function wake(terminal: string, wish: Wish, host: Host): Promise<Result<Woken>> {
  const answer = await host.ask('terminal.wake', { terminal, ...wish, inherited: inheritedEnv(host.env) })
  return answer.ok ? done(answer.value.result) : answer
}

/** A resume may fail a moment after it began; whoever waits here for it is told. */
async function watched(woken: Woken, host: Host): Promise<Result<Woken>> {
  if (woken.started.from === 'original' || woken.started.from === 'shell') return done(woken)
  const ended = await host.ask('terminal.wait', { terminal: woken.id, until: { kind: 'exit' }, timeoutMs: WATCH_MS })
  const listed = ended.ok ? await host.ask('terminal.list', {}) : ended
  const now = listed.ok ? listed.value.result.find(({ id }) => id === woken.id) : undefined
  if (now?.because?.kind !== 'failed') return done(woken)
  return refused(refusals.resumeFailed(now.name ?? now.id, now.because.reason))
}

/** What came back, and what was started for it where that is not plain. */
function howText({ back, backend, started: { from, text } }: Woken): string {
  if (backend === 'guest') return 'is shown again'
  if (from === 'conversation' || from === 'table') return back?.kind === 'new-conversation' ? back.text : `resumed with ${text}`
  return back?.text ?? 'started as at first'
}
