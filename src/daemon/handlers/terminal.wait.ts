/** Waits until a terminal's program has ended, its agent is in a state, or its screen shows a text or is idle. */
import { isAwaited } from '../../agents/stateMerge.ts'
import { refusals, refused } from '../../base/refusal.ts'
import type { Params } from '../../wire/commands/commands.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Client, Handler, Reply } from '../clients/handler.ts'
import { MOST_WAITS } from '../clients/limits.ts'
import type { WaitedText } from '../screens/screenMessages.ts'
import { find, reasonText } from '../terminals/find.ts'
import type { Parts } from './world.ts'

const RECORDED_WITHIN_MS = 2_000

type World = Pick<Parts, 'agents' | 'log' | 'registry' | 'runScreens' | 'screens' | 'waiting'>

type Wait = {
  readonly terminal: Terminal
  readonly timeoutMs: number | null
  readonly from: Params<'terminal.wait'>['from']
  readonly client: Client
}

export const waitForTerminal: Handler<'terminal.wait', World> = (daemon, params, client) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const wait: Wait = { terminal: found.value, timeoutMs: params.timeoutMs ?? null, from: params.from, client }
  daemon.log.debug({ terminal: found.value.id, until: params.until.kind, from: params.from }, 'a client waits')
  if (params.until.kind === 'exit') return untilExit(daemon, wait)
  if (params.until.kind === 'agent') return untilAgent(daemon, wait, params.until.state)
  const wrong = params.until.kind === 'text' ? faultIn(params.until.pattern) : null
  if (wrong !== null && params.until.kind === 'text') return refused(refusals.patternInvalid(params.until.pattern, wrong))
  return untilShown(daemon, wait, params.until)
}

async function untilExit(daemon: World, { terminal, timeoutMs, client }: Wait): Promise<Reply<'terminal.wait'>> {
  const forgets: (() => void)[] = []
  const ended = await daemon.waiting.until(
    terminal.id,
    (now) => now === null || now.state === 'asleep',
    timeoutMs,
    (end) => forgets.push(client.onGone(end)),
  )
  for (const forget of forgets) forget()
  if (!ended) return refused(refusals.timeout(`the program in ${terminal.id} is still running`))
  await daemon.registry.quiet(terminal.id, RECORDED_WITHIN_MS) // a client that hears of the end can read the exit status
  const now = daemon.registry.get(terminal.id)
  const status = now?.state === 'asleep' && now.because.kind === 'exited' ? now.because.status : null
  return { ok: true, result: { matched: null, status } }
}

type Awaited = Extract<Params<'terminal.wait'>['until'], { kind: 'agent' }>['state']

async function untilAgent(daemon: World, { terminal, timeoutMs, client }: Wait, awaited: Awaited): Promise<Reply<'terminal.wait'>> {
  const stateOf = (now: Terminal | null) => (now?.state === 'live' ? (daemon.agents.summary(now.run)?.state ?? null) : null)
  const isMet = (now: Terminal | null): boolean => {
    const state = stateOf(now)
    return state !== null && isAwaited(state, awaited)
  }
  const forgets: (() => void)[] = []
  const isOver = await daemon.waiting.until(
    terminal.id,
    (now) => now === null || now.state === 'asleep' || isMet(now),
    timeoutMs,
    (end) => forgets.push(client.onGone(end)),
  )
  for (const forget of forgets) forget()
  const now = daemon.registry.get(terminal.id)
  if (isMet(now)) return { ok: true, result: { matched: stateOf(now), status: null } }
  if (!isOver) return refused(refusals.timeout(`the agent in ${terminal.id} is ${stateOf(now) ?? 'not there'}`))
  return refused(refusals.programEnded(terminal.id, now?.state === 'asleep' ? reasonText(now.because) : 'it went away'))
}

type Shown = Extract<Params<'terminal.wait'>['until'], { kind: 'text' | 'idle' }>

async function untilShown(daemon: World, { terminal, timeoutMs, from, client }: Wait, until: Shown): Promise<Reply<'terminal.wait'>> {
  const run = await daemon.runScreens.showable(terminal)
  if (run === null) return refused(refusals.notLive(terminal.id, 'it never ran'))
  const since = from?.run === run ? { order: await daemon.runScreens.sessionOrder(terminal, run), seq: from.seq } : null
  // Checked after every await, so that requests that arrive together are counted one by one.
  if (daemon.screens.waits >= MOST_WAITS) return refused(refusals.tooManyWaits(MOST_WAITS))
  const asked = until.kind === 'text' ? daemon.screens.waitText(run, until.pattern, since) : daemon.screens.waitIdle(run, until.ms)
  let timedOut = false
  const timer = timeoutMs === null ? undefined : setTimeout(() => expire(), timeoutMs)
  const expire = (): void => {
    timedOut = true
    asked.cancel()
  }
  const forget = client.onGone(() => asked.cancel())
  const outcome: WaitedText | boolean = await asked.found
  clearTimeout(timer)
  forget()
  if (typeof outcome === 'string') return { ok: true, result: { matched: outcome, status: null } }
  if (typeof outcome === 'object' && outcome !== null && until.kind === 'text') return refused(refusals.patternTooSlow(until.pattern))
  if (outcome === true) return { ok: true, result: { matched: null, status: null } }
  const what = until.kind === 'text' ? `/${until.pattern}/ did not appear` : `it was never idle for ${until.ms} ms`
  if (timedOut) return refused(refusals.timeout(what))
  // The screen may have seen the end before the record has.
  await daemon.waiting.until(terminal.id, (now) => now === null || now.state === 'asleep', RECORDED_WITHIN_MS)
  const now = daemon.registry.get(terminal.id)
  return refused(refusals.programEnded(terminal.id, now?.state === 'asleep' ? reasonText(now.because) : 'it went away'))
}

function faultIn(pattern: string): string | null {
  try {
    new RegExp(pattern, 'm')
    return null
  } catch (error) {
    return (error as Error).message
  }
}
