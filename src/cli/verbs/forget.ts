import { mib } from '../../base/format.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { ForgetPlanView, ForgetWhat } from '../../wire/commands/forget.ts'
import { given, print } from '../core/answers.ts'
import { EXIT } from '../core/exit.ts'
import { usage } from '../core/parse.ts'
import { parseTime } from '../core/parseTime.ts'
import { confirm } from '../core/questions.ts'
import type { Input, Verb } from '../core/verb.ts'

export const verb: Verb = {
  name: 'forget',
  summary: 'Remove every trace of terminals. This cannot be undone.',
  operands: '[id...]',
  options: [
    { flags: '--closed', help: 'forget all closed terminals, even those that can be reopened' },
    { flags: '--before <time>', help: 'forget older data, such as 30d, yesterday or 2026-01-31' },
    { flags: '--force', help: 'end running programs and forget their terminals too' },
    { flags: '-y, --yes', help: 'do not ask for confirmation' },
    { flags: '--dry-run', help: 'show what would be removed, and stop' },
  ],
  details: [
    'Removes the terminal’s logs, screens, search index, dropped files, audit entries,',
    'log lines and its part of every checkpoint, then rewrites the databases. Closing',
    'does not do that: checkpoints keep a closed terminal until they expire.',
    '--before TIME forgets terminals unused since TIME, and older checkpoints, audit',
    'entries and runs. A terminal used since TIME keeps its newest run.',
    '--closed forgets every terminal that holdfast ls does not list.',
    'Not removed: backups, exports, file system snapshots, SSD blocks, swap and the',
    'agents’ own transcripts.',
  ],
  example: ['holdfast forget api', 'holdfast forget --closed', 'holdfast forget --before 30d --dry-run'],
  run: async (cli, input) => {
    const what = whatOf(input)
    if (!what.ok) return what
    const wish = { what: what.value, ...given({ force: input.flag('force') || undefined }) }
    if (input.flag('dryRun') || !input.flag('yes')) {
      const planned = await cli.ask('forget.plan', wish)
      if (!planned.ok) return planned
      const lines = planLines(planned.value.result)
      if (input.flag('dryRun')) return await print(cli, planned.value.result, () => lines.join('\n'))
      if (cli.stdin.isTTY !== true)
        return usage('cannot ask: the input is not a terminal; use --yes to forget, or --dry-run to see what would be removed')
      if (!(await confirm(`${lines.join('\n')}\nThis cannot be undone. Forget?`, cli))) return done(EXIT.refused)
    }
    if (cli.stderr.isTTY === true && !cli.isJson) cli.complain('Forgetting; rewriting the databases may take a while…')
    const forgotten = await cli.ask('forget.apply', wish)
    if (!forgotten.ok) return forgotten
    const { result } = forgotten.value
    const printed = await print(cli, result, forgottenText)
    return result.trouble === null ? printed : refused(refusals.forgetUnfinished(result.trouble))
  },
}

function whatOf(input: Input): Result<ForgetWhat> {
  const before = input.text('before')
  const ways = [input.operands.length > 0, input.flag('closed'), before !== undefined].filter(Boolean)
  if (ways.length !== 1) return usage('nothing to forget: name terminals, or use --closed or --before TIME')
  if (input.flag('closed')) return done({ kind: 'closed' })
  if (before === undefined) return done({ kind: 'terminals', terminals: [...input.operands] })
  const at = parseTime(before, Date.now())
  return at.ok ? done({ kind: 'before', at: at.value }) : at
}

const MOST_SHOWN = 40 // a screen

const STATES: Readonly<Record<ForgetPlanView['terminals'][number]['state'], string>> = {
  running: 'running; its program will be ended',
  asleep: 'asleep',
  closed: 'closed; it can still be reopened',
  gone: 'closed; only its history is left',
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
const some = (count: number, word: string): readonly string[] => (count === 0 ? [] : [counted(count, word)])

/** What is removed, as parts of a sentence. */
function partsOf({ runs, screens, checkpoints, auditEntries, files }: ForgetPlanView): readonly string[] {
  return [
    ...some(runs, 'log'),
    ...some(screens, 'screen'),
    ...some(files, 'dropped file'),
    ...some(auditEntries, 'audit entry').map((text) => text.replace('entrys', 'entries')),
    ...some(checkpoints.removed, 'whole checkpoint'),
  ]
}

export function planLines(plan: ForgetPlanView): readonly string[] {
  const { terminals, checkpoints, copies, bytes } = plan
  const parts = partsOf(plan)
  const more = terminals.length - MOST_SHOWN
  return [
    terminals.length === 0 ? 'No terminal would be forgotten.' : `This would forget ${counted(terminals.length, 'terminal')}:`,
    ...terminals.slice(0, MOST_SHOWN).map(({ id, name, state }) => `  ${name ?? id}: ${STATES[state]}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(parts.length === 0 ? [] : [`It would remove ${listed(parts)}, ${mib(bytes)} in total.`]),
    ...(checkpoints.changed === 0
      ? []
      : [`${counted(checkpoints.changed, 'checkpoint')} would stay, without ${terminals.length === 1 ? 'it' : 'them'}.`]),
    ...(copies === 0
      ? []
      : [`It would delete ${counted(copies, 'file')} of damaged databases: single terminals cannot be removed from them.`]),
  ]
}

export function forgottenText(plan: ForgetPlanView): string {
  const parts = partsOf(plan)
  const what = plan.terminals.length === 0 ? 'Forgot no terminal' : `Forgot ${counted(plan.terminals.length, 'terminal')}`
  return `${what}${parts.length === 0 ? '' : `: ${listed(parts)}, ${mib(plan.bytes)} in total`}.`
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
