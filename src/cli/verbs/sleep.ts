import type { Result } from '../../base/refusal.ts'
import type { ExitCode } from '../exit.ts'
import { usage } from '../parse.ts'
import { parseSpan } from '../parseTime.ts'
import { sleepMany } from '../sleeping/sleepMany.ts'
import { sleepNamed } from '../sleeping/sleepNamed.ts'
import { JSON_OPTION, type Run, type Verb } from '../verb.ts'

const run: Run = async (input, host): Promise<Result<ExitCode>> => {
  const idle = input.text('idle')
  const wish = { force: input.flag('force'), isJson: input.flag('json') }
  const ways = [input.operands.length > 0, idle !== undefined, input.flag('all')].filter(Boolean)
  if (ways.length === 0) return usage('say which: ids or names, --idle SPAN or --all')
  if (ways.length > 1) return usage('say one of these: ids or names, --idle SPAN or --all')
  if (input.operands.length > 0) return await sleepNamed(input.operands, host, wish)
  if (idle === undefined) return await sleepMany(host, { ...wish, idleMs: null })
  if (wish.force) return usage('--idle leaves alone what would lose something; name those with --force')
  const span = parseSpan(idle)
  return span.ok ? await sleepMany(host, { ...wish, idleMs: span.value }) : span
}

export const verb: Verb = {
  name: 'sleep',
  summary: 'End a terminal’s program after giving it time to settle. Its place, last screen and history stay.',
  operands: '[id...]',
  completes: 'terminals',
  options: [
    { flags: '--idle <span>', help: 'those that have been idle at least that long, such as 30m, 2h or 1d, and lose nothing' },
    { flags: '--all', help: 'all that run and lose nothing; with --force, all that run' },
    { flags: '--force', help: 'even if something is lost' },
    JSON_OPTION,
  ],
  details: [
    'Refused where something would be lost, unless --force is given: an agent works, waits for an answer or may be working because its',
    'state is unknown; programs run; the conversation of an agent is not known; a program would start from the beginning; or the',
    'terminal is private. At a terminal you are asked instead. A guest of your own tmux is only let go: its program goes on there.',
    'With --idle or --all such terminals are left running, and named; --json prints {"slept", "left", "freedBytes"}.',
  ],
  example: ['holdfast sleep api', 'holdfast sleep --idle 2h', 'holdfast sleep --all'],
  run,
}
