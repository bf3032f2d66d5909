import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { Backoff } from '../../client/backoff.ts'
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { Outcome, Params } from '../../wire/commands.ts'
import { EXIT } from '../exit.ts'
import { statusText } from '../format.ts'
import type { Host } from '../host.ts'
import { parseChoice, parseCount, parseSeconds, usage } from '../parse.ts'
import { type Input, JSON_OPTION, type Verb } from '../verb.ts'

/** Without a deadline of the user's own: a daemon that stays away this long was stopped on purpose. */
const AWAY_AT_MOST_MS = 60_000

const AGENT_WAITS = ['needs-you', 'done', 'idle', 'working'] as const

type Until = Params<'terminal.wait'>['until']

export const verb: Verb = {
  name: 'wait',
  summary: 'Wait until a terminal shows a text, is idle, its program has ended, or its agent needs you.',
  operands: '<id>',
  completes: 'terminal',
  options: [
    { flags: '--text <regex>', help: 'until this is on the screen' },
    { flags: '--idle <ms>', help: 'until nothing has been printed for so long' },
    { flags: '--exit', help: 'until the program has ended' },
    { flags: '--agent <state>', help: 'until its agent is in this state', choices: AGENT_WAITS },
    { flags: '--timeout <seconds>', help: 'give up after this (exit code 4)' },
    JSON_OPTION,
  ],
  details: [
    '--agent idle is met when the agent neither works nor needs you: also when it is done.',
    '--agent done is met when it has finished a turn and nobody has typed or looked since.',
    'A terminal without an agent is waited for until one starts there, and given up (exit code 3) when its program ends.',
  ],
  example: [
    "holdfast wait api --text 'listening on \\d+' --timeout 30",
    'holdfast wait build --exit && notify-send built',
    'holdfast wait agent --agent needs-you && notify-send "it needs you"',
  ],
  run: async (input, host) => {
    const until = untilOf(input)
    if (!until.ok) return until
    const seconds = input.text('timeout')
    const timeout = seconds === undefined ? null : parseSeconds(seconds)
    if (timeout?.ok === false) return timeout
    const waited = await waitFor(host, { terminal: input.operands[0] ?? '', until: until.value, timeoutMs: timeout?.value ?? null })
    if (!waited.ok) return waited
    const { matched, status } = waited.value
    if (input.flag('json')) host.printJson(waited.value)
    else if (status !== null) host.print(statusText(status))
    else if (matched !== null) host.print(matched)
    return done(EXIT.done)
  },
}

function untilOf(input: Input): Result<Until> {
  const text = input.text('text')
  const idle = input.text('idle')
  const exit = input.flag('exit')
  const agent = parseChoice(input.text('agent'), AGENT_WAITS, '--agent')
  if (!agent.ok) return agent
  if ([text !== undefined, idle !== undefined, exit, agent.value !== undefined].filter(Boolean).length !== 1)
    return usage('say one thing to wait for: --text, --idle, --exit or --agent')
  if (agent.value !== undefined) return done({ kind: 'agent', state: agent.value })
  if (exit) return done({ kind: 'exit' })
  if (text !== undefined) return text === '' ? usage('--text needs something to look for') : done({ kind: 'text', pattern: text })
  const ms = parseCount(idle ?? '', 'milliseconds')
  return ms.ok ? done({ kind: 'idle', ms: ms.value }) : ms
}

type Wait = { readonly terminal: string; readonly until: Until; readonly timeoutMs: number | null }

/** Waiting changes nothing, so it may be asked again of the daemon that comes after this one; but it never starts one. */
async function waitFor(host: Host, { terminal, until, timeoutMs }: Wait): Promise<Result<Outcome<'terminal.wait'>>> {
  const deadline = timeoutMs === null ? null : performance.now() + timeoutMs
  const backoff = new Backoff()
  let link = await host.daemon()
  let awaySince: number | null = null
  const began = link.ok && until.kind === 'text' ? await positionOf(link.value, terminal) : null
  for (let asked = 0; ; asked++) {
    const left = deadline === null ? {} : { timeoutMs: Math.max(0, Math.ceil(deadline - performance.now())) }
    const from = asked > 0 && began !== null ? { from: began } : {}
    const answer = link.ok ? await link.value.request('terminal.wait', { terminal, until, ...left, ...from }) : link
    if (answer.ok) return done(answer.value.result)
    if (!isAway(answer.refusal.code)) return answer
    const now = performance.now()
    awaySince = link.ok ? now : (awaySince ?? now)
    if (deadline !== null && now >= deadline) return refused(refusals.timeout('the daemon went away meanwhile'))
    if (deadline === null && now - awaySince > AWAY_AT_MOST_MS) return answer
    if (link.ok) backoff.reset()
    await new Promise((resolve) => setTimeout(resolve, backoff.take()))
    link = await host.running()
  }
}

/** Null where there is none to be had; then a later daemon can only look at what is on the screen. */
async function positionOf(daemon: DaemonClient, terminal: string): Promise<{ run: string; seq: number } | null> {
  const answer = await daemon.request('terminal.position', { terminal })
  if (!answer.ok || answer.value.result.run === null) return null
  return { run: answer.value.result.run, seq: answer.value.result.seq }
}

const isAway = (code: string): boolean => code === 'daemon-unreachable' || code === 'stopping'
