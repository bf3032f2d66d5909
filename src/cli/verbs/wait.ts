import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { Backoff } from '../../client/backoff.ts'
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { Outcome, Params } from '../../wire/commands/commands.ts'
import { EXIT } from '../core/exit.ts'
import { chosen, parseCount, parseSeconds, usage } from '../core/parse.ts'
import type { Cli, Input, Verb } from '../core/verb.ts'
import { statusText } from '../text/format.ts'

/** Without --timeout: a daemon that is away for this long was stopped on purpose. */
const AWAY_AT_MOST_MS = 60_000

const AGENT_WAITS = ['needs-you', 'done', 'idle', 'working'] as const

type Until = Params<'terminal.wait'>['until']

export const verb: Verb = {
  name: 'wait',
  summary: 'Wait for text, silence, an exit or an agent state.',
  operands: '<id>',
  options: [
    { flags: '--text <regex>', help: 'wait until the screen matches this' },
    { flags: '--idle <ms>', help: 'wait until nothing was printed for this long' },
    { flags: '--exit', help: 'wait until the program ends' },
    { flags: '--agent <state>', help: 'wait until its agent is in this state', choices: AGENT_WAITS },
    { flags: '--timeout <seconds>', help: 'stop waiting after this time (exit code 4)' },
  ],
  details: [
    '--agent idle: the agent is not working and does not need you; done counts too.',
    '--agent done: it finished a turn, and you have not typed or looked since.',
    'In a terminal without an agent, the command waits for one to start. It gives up',
    '(exit code 3) when the program ends.',
  ],
  example: [
    "holdfast wait api --text 'listening on \\d+' --timeout 30",
    'holdfast wait build --exit && notify-send built',
    'holdfast wait agent --agent needs-you && notify-send "it needs you"',
  ],
  run: async (cli, input) => {
    const until = untilOf(input)
    if (!until.ok) return until
    const seconds = input.text('timeout')
    const timeout = seconds === undefined ? null : parseSeconds(seconds)
    if (timeout?.ok === false) return timeout
    const waited = await waitFor(cli, { terminal: input.operands[0] ?? '', until: until.value, timeoutMs: timeout?.value ?? null })
    if (!waited.ok) return waited
    const { matched, status } = waited.value
    if (cli.isJson) cli.printJson(waited.value)
    else if (status !== null) cli.print(statusText(status))
    else if (matched !== null) cli.print(matched)
    return done(EXIT.done)
  },
}

function untilOf(input: Input): Result<Until> {
  const text = input.text('text')
  const idle = input.text('idle')
  const exit = input.flag('exit')
  const agent = chosen(input.text('agent'), AGENT_WAITS)
  if ([text !== undefined, idle !== undefined, exit, agent !== undefined].filter(Boolean).length !== 1)
    return usage('use exactly one of --text, --idle, --exit and --agent')
  if (agent !== undefined) return done({ kind: 'agent', state: agent })
  if (exit) return done({ kind: 'exit' })
  if (text !== undefined) return text === '' ? usage('--text needs a pattern') : done({ kind: 'text', pattern: text })
  const ms = parseCount(idle ?? '', 'milliseconds')
  return ms.ok ? done({ kind: 'idle', ms: ms.value }) : ms
}

type Wait = { readonly terminal: string; readonly until: Until; readonly timeoutMs: number | null }

/** Waiting changes nothing, so it is repeated with the next daemon; but it starts none. */
async function waitFor(cli: Cli, { terminal, until, timeoutMs }: Wait): Promise<Result<Outcome<'terminal.wait'>>> {
  const deadline = timeoutMs === null ? null : performance.now() + timeoutMs
  const backoff = new Backoff()
  let link = await cli.daemon()
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
    if (deadline !== null && now >= deadline) return refused(refusals.timeout('the daemon went away'))
    if (deadline === null && now - awaySince > AWAY_AT_MOST_MS) return answer
    if (link.ok) backoff.reset()
    await new Promise((resolve) => setTimeout(resolve, backoff.take()))
    link = await cli.running()
  }
}

/** Null if it is not known; then the next daemon can only look at the current screen. */
async function positionOf(daemon: DaemonClient, terminal: string): Promise<{ run: string; seq: number } | null> {
  const answer = await daemon.request('terminal.position', { terminal })
  if (!answer.ok || answer.value.result.run === null) return null
  return { run: answer.value.result.run, seq: answer.value.result.seq }
}

const isAway = (code: string): boolean => code === 'daemon-unreachable' || code === 'stopping'
