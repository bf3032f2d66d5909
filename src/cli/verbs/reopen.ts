import { done, type Result } from '../../base/refusal.ts'
import type { ClosedView } from '../../wire/commands/closing.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { ageText, shortPath } from '../format.ts'
import type { Host } from '../host.ts'
import { usage } from '../parse.ts'
import { type Column, tableText } from '../table.ts'
import { type Input, JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'reopen',
  summary: 'Bring back a terminal that was closed in the last five minutes (the last one): asleep, in its place, with its history.',
  operands: '[id]',
  options: [{ flags: '--list', help: 'only show which can be brought back, and for how long' }, JSON_OPTION],
  details: ['A worktree that was removed with it is put back. holdfast wake then starts its program again.'],
  example: ['holdfast reopen', 'holdfast reopen api', 'holdfast reopen --list'],
  run: (input, host) => (input.flag('list') ? list(input, host) : reopen(input, host)),
}

async function reopen(input: Input, host: Host): Promise<Result<ExitCode>> {
  const [terminal] = input.operands
  const answer = await host.ask('terminal.reopen', terminal === undefined ? {} : { terminal })
  if (!answer.ok) return answer
  const { id, name, workspace, notes } = answer.value.result
  if (input.flag('json')) host.printJson(answer.value.result)
  else host.print([`Reopened ${name ?? id} in ${workspace}; holdfast wake ${id} starts it again.`, ...notes].join('\n'))
  return done(EXIT.done)
}

async function list(input: Input, host: Host): Promise<Result<ExitCode>> {
  if (input.operands.length > 0) return usage('--list takes no terminal')
  const answer = await host.ask('terminal.closed', {})
  if (!answer.ok) return answer
  const closed = answer.value.result
  if (input.flag('json')) host.printJson(closed)
  else if (closed.length === 0) host.print('No terminal was closed in the last five minutes.')
  else host.print(await tableText(closed, columnsFor(host, Date.now()), host))
  return done(EXIT.done)
}

const columnsFor = ({ env }: Host, now: number): readonly Column<ClosedView>[] => [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name ?? '' },
  { title: 'CLOSED', text: ({ at }) => `${ageText(Math.max(0, now - at))} ago` },
  { title: 'LEFT', text: ({ until }) => ageText(Math.max(0, until - now)) },
  { title: 'WORKSPACE', text: ({ workspace }) => workspace },
  { title: 'DIRECTORY', text: ({ directory }) => shortPath(directory, env['HOME']), shrinks: true },
  { title: 'COMMAND', text: ({ command }) => command, shrinks: true },
]
