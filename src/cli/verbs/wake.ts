import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Outcome, Params } from '../../wire/commands/commands.ts'
import { becauseOf } from '../../wire/view.ts'
import { startLines } from '../../workspace/resume/wouldStart.ts'
import { findTerminal } from '../../workspace/terminal/find.ts'
import { given, outcomeOf, resultOf } from '../core/answers.ts'
import type { ExitCode } from '../core/exit.ts'
import { inheritedEnv, usage } from '../core/parse.ts'
import { confirm } from '../core/questions.ts'
import type { Cli, Input, Verb } from '../core/verb.ts'
import { showPhases } from '../waking/wakeProgress.ts'

/** Most programs that cannot resume exit within this time; `ls` and the page show the others. */
const WATCH_MS = 2_000

type Wish = Pick<Params<'terminal.wake'>, 'mode' | 'conversation' | 'withoutArguments' | 'asShown' | 'confirmed'>
type Woken = Outcome<'terminal.wake'>

export const verb: Verb = {
  name: 'wake',
  summary: 'Wake a terminal: resume its agent or restart its program.',
  operands: '[id...]',
  options: [
    { flags: '--resume', help: 'resume it where it was (default)' },
    { flags: '--fresh', help: 'start it fresh, with its original arguments' },
    { flags: '--conversation <conversation>', help: 'resume another conversation, by the agent’s id for it' },
    { flags: '--trust', help: 'run the command of an imported terminal without asking' },
    { flags: '--without-arguments', help: 'run the command of a private terminal without arguments' },
    { flags: '--as-shown', help: 'resume with the second of the two shown command lines' },
    { flags: '--lost', help: 'wake all terminals that were interrupted by a crash' },
    { flags: '--later', help: 'with --lost: leave them asleep and do not ask again' },
  ],
  details: [
    'An agent resumes its conversation, if its id is known, or starts a new one with',
    'the same flags. [resume] in config.toml defines the resume command of other',
    'programs; without one, the program starts fresh. Each printed line says what came',
    'back; with --json it is "back": resumed, new-conversation, shell-quit,',
    'shell-unknown or started. If a resume fails, the last screen and the conversation',
    'stay, and you can try again.',
    'The first wake of an imported terminal shows its command, directory and',
    'environment, and asks. --lost, and a wake of several terminals, leave it asleep.',
    'An agent is resumed with its flags, in the sandbox, container or other wrapper in',
    'which it ran. If that command line is not certain, nothing is started and two',
    'command lines are shown; --as-shown runs the second one, now and in the future.',
  ],
  example: [
    'holdfast wake api',
    'holdfast wake --fresh api',
    'holdfast wake --conversation 0198f7c1-9c1e-7f50 agent',
    'holdfast wake --lost',
  ],
  run: async (cli, input) => {
    const wish = wishOf(input)
    if (!wish.ok) return wish
    if (input.flag('lost')) return await wakeAllLost(cli, input, wish.value)
    const hidePhases = cli.isJson ? () => undefined : await showPhases(cli, input.operands)
    const answers: Result<Woken>[] = []
    for (const terminal of input.operands) answers.push(await wakeConfirmed(terminal, wish.value, { input, cli }))
    const outcomes = await Promise.all(answers.map(async (answer) => (answer.ok ? await watched(answer.value, cli) : answer)))
    hidePhases()
    const woken = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []))
    if (cli.isJson) cli.printJson(woken)
    else for (const terminal of woken) cli.print(`${terminal.name ?? terminal.id} ${howText(terminal)}`)
    return outcomeOf(outcomes, cli)
  },
}

/** Shows the command of an imported terminal before it runs. Without a terminal to ask in, it stays asleep. */
async function wakeConfirmed(
  ref: string,
  wish: Wish,
  { input, cli }: { readonly input: Input; readonly cli: Cli },
): Promise<Result<Woken>> {
  const woken = await wake(ref, { ...wish, confirmed: input.flag('trust') }, cli)
  if (woken.ok || woken.refusal.code !== 'imported-unconfirmed') return woken
  const listed = await cli.ask('terminal.list', {})
  const found = listed.ok ? findTerminal(ref, listed.value.result) : listed
  const imported = found.ok ? found.value.imported : null
  if (!found.ok || imported === null) return woken
  const start = wish.mode === 'fresh' ? imported.fresh : imported.resume
  const other = wish.conversation === undefined ? [] : [`conversation ${wish.conversation} instead of the known one`]
  const lines = [...startLines(start), ...other].map((line) => `\n  ${line}`).join('')
  const shown = `"${found.value.name ?? found.value.id}" was imported from ${imported.from || 'another machine'}. It would run:${lines}`
  const isAsked = cli.stdin.isTTY === true && input.operands.length === 1 && !cli.isJson
  if (!isAsked) cli.complain(shown)
  return isAsked && (await confirm(`${shown}\nWake it?`, cli)) ? await wake(ref, { ...wish, confirmed: true }, cli) : woken
}

function wishOf(input: Input): Result<Wish> {
  const conversation = input.text('conversation')
  const ways = [input.flag('resume'), input.flag('fresh'), input.flag('withoutArguments'), conversation !== undefined]
  if (ways.filter(Boolean).length > 1) return usage('use only one of --resume, --fresh, --conversation and --without-arguments')
  const conflict = conflictOf(input)
  if (conflict !== null) return usage(conflict)
  if (input.flag('withoutArguments')) return done({ mode: 'fresh', withoutArguments: true })
  if (input.flag('fresh')) return done({ mode: 'fresh' })
  return done({ mode: 'resume', ...given({ conversation, asShown: input.flag('asShown') || undefined }) })
}

function conflictOf(input: Input): string | null {
  const isLost = input.flag('lost')
  if (!isLost && input.operands.length === 0) return 'nothing to wake: name terminals, or use --lost'
  if (isLost && input.operands.length > 0) return '--lost and terminals exclude each other'
  if (isLost && input.flag('trust')) return '--trust and --lost exclude each other'
  if (isLost && input.flag('withoutArguments')) return '--without-arguments and --lost exclude each other'
  if (isLost && input.text('conversation') !== undefined) return '--conversation and --lost exclude each other'
  if (input.flag('asShown') && (isLost || input.flag('fresh'))) return '--as-shown excludes --lost and --fresh'
  if (input.flag('later') && !isLost) return '--later needs --lost'
  return input.flag('later') && (input.flag('fresh') || input.flag('resume')) ? '--later excludes --fresh and --resume' : null
}

async function wakeAllLost(cli: Cli, input: Input, { mode = 'resume' }: Wish): Promise<Result<ExitCode>> {
  const { leaveLost, wakeLost } = await import('../waking/lost.ts')
  return input.flag('later') ? await leaveLost(cli) : await wakeLost(cli, mode)
}

async function wake(terminal: string, wish: Wish, cli: Cli): Promise<Result<Woken>> {
  return resultOf(await cli.ask('terminal.wake', { terminal, ...wish, inherited: inheritedEnv(cli.env) }))
}

/** A resume may fail a moment after it began; the command waits long enough to report that. */
async function watched(woken: Woken, cli: Cli): Promise<Result<Woken>> {
  if (woken.started.from === 'original' || woken.started.from === 'shell') return done(woken)
  const ended = await cli.ask('terminal.wait', { terminal: woken.id, until: { kind: 'exit' }, timeoutMs: WATCH_MS })
  const listed = ended.ok ? await cli.ask('terminal.list', {}) : ended
  const now = listed.ok ? listed.value.result.find(({ id }) => id === woken.id) : undefined
  const because = now === undefined ? null : becauseOf(now)
  if (now === undefined || because?.kind !== 'failed') return done(woken)
  return refused(refusals.resumeFailed(now.name ?? now.id, because.reason))
}

/** What came back, and how it was started where that is not obvious. */
function howText({ back, backend, started: { from, text } }: Woken): string {
  if (backend === 'guest') return 'is shown again'
  if (from === 'conversation' || from === 'table') return back?.kind === 'new-conversation' ? back.text : `resumed with ${text}`
  return back?.text ?? 'started fresh'
}
