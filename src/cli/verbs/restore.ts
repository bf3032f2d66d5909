/** Restoring: the plan is shown, then asked about, then carried out. `import` does the same with a file. */
import { done, type Result } from '../../base/refusal.ts'
import type { RestorePlanView } from '../../wire/checkpointView.ts'
import { ON_RESTORE } from '../../workspace/terminal/terminal.ts'
import { given, print, resultOf, show } from '../core/answers.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import { chosen, usage } from '../core/parse.ts'
import { confirm } from '../core/questions.ts'
import type { Cli, Input, Option, Run, Verb } from '../core/verb.ts'

/** The verbs of checkpoints take `-f json` as well as --json. */
export const FORMAT: Option = { flags: '-f, --format <format>', help: 'output format (default: text)', choices: ['text', 'json'] }
export const SAME_AS_FORMAT = 'same as --format json'

export const RESTORE_OPTIONS: readonly Option[] = [
  { flags: '--only <workspace>', help: 'restore only this workspace of the checkpoint' },
  { flags: '--plan', help: 'show what would happen, and stop' },
  { flags: '-y, --yes', help: 'do not ask for confirmation' },
]

export const verb: Verb = {
  name: 'restore',
  summary: 'Restore the layout and screens of a checkpoint.',
  operands: '[checkpoint]',
  options: [
    ...RESTORE_OPTIONS,
    { flags: '--set <when>', help: 'instead: set what happens to this terminal after a crash', choices: ON_RESTORE },
    FORMAT,
  ],
  json: SAME_AS_FORMAT,
  details: [
    'Name a checkpoint by its id, a unique prefix of it, latest, or latest~2 (two',
    'before it). Default: the newest good one. Running programs keep running, and no',
    'program is started. Before it restores, Holdfast saves a checkpoint of now;',
    'restore that one to undo.',
  ],
  example: ['holdfast restore --plan', 'holdfast restore latest~3 --only main', 'holdfast restore --set wake api'],
  run: (cli, input) => (input.text('set') === undefined ? restoreCheckpoint(cli, input) : setOnRestore(cli, input)),
}

/** The same for `restore` and `checkpoint restore`. */
export const restoreCheckpoint: Run = (cli, input) => {
  const params = given({ checkpoint: input.operands[0], only: input.text('only') })
  return restoreAsked(cli, input, {
    question: 'Restore this?',
    plan: async () => resultOf(await cli.ask('restore.plan', params)),
    apply: async () => resultOf(await cli.ask('restore.apply', params)),
  })
}

async function setOnRestore(cli: Cli, input: Input): Promise<Result<ExitCode>> {
  const onRestore = chosen(input.text('set'), ON_RESTORE)
  const [terminal] = input.operands
  if (terminal === undefined || onRestore === undefined) return usage('--set needs a terminal')
  return await show(cli, cli.ask('restore.set', { terminal, onRestore }))
}

type Applied = { readonly plan: RestorePlanView; readonly undo: string }

export type Restoring = {
  readonly question: string
  plan(): Promise<Result<RestorePlanView>>
  apply(): Promise<Result<Applied>>
}

/** `--plan` only shows; `--yes` does not ask. Without a terminal to ask in, one of them is required. */
export async function restoreAsked(cli: Cli, input: Input, { question, plan, apply }: Restoring): Promise<Result<ExitCode>> {
  if (input.flag('plan') || !input.flag('yes')) {
    const planned = await plan()
    if (!planned.ok) return planned
    const lines = planned.value.lines.join('\n')
    if (input.flag('plan')) return await print(cli, planned.value, () => lines)
    if (cli.stdin.isTTY !== true)
      return usage('cannot ask: the input is not a terminal; use --yes to continue, or --plan to see what would happen')
    if (!(await confirm(`${lines}\n${question}`, cli))) return done(EXIT.refused)
  }
  const applied = await apply()
  if (!applied.ok) return applied
  return await print(cli, applied.value, (now) => `${summaryOf(now.plan)}\nUndo with holdfast restore ${now.undo}.`)
}

const WORDS = [
  ['bringBack', 'brought back'],
  ['rest', 'unchanged'],
  ['lost', 'asleep, lost'],
  ['adopt', 'still running'],
  ['keepStranger', 'kept'],
  ['forget', 'removed'],
] as const

function summaryOf({ checkpoint, steps, missingPaths }: RestorePlanView): string {
  const counts = WORDS.flatMap(([kind, word]) => {
    const count = steps.filter((step) => step.kind === kind).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const missing = missingPaths.map(({ path, terminals }) => `\nmissing: ${path} (${terminals.join(', ')})`).join('')
  return `Restored ${checkpoint.id}: ${counts.length === 0 ? 'nothing to do' : counts.join(', ')}.${missing}`
}
