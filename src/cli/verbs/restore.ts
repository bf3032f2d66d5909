import { done, type Result } from '../../base/refusal.ts'
import { ON_RESTORE } from '../../workspace/terminal.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import type { Host } from '../host.ts'
import { parseChoice, usage } from '../parse.ts'
import { restoreAsked } from '../restoring.ts'
import type { Input, Option, Run, Verb } from '../verb.ts'
import { AS_JSON, asksForJson } from './checkpoint/asJson.ts'

export const RESTORE_OPTIONS: readonly Option[] = [
  { flags: '--only <workspace>', help: 'only this workspace of the checkpoint; everything else stays' },
  { flags: '--plan', help: 'only show what would happen' },
  { flags: '-y, --yes', help: 'do not ask' },
  ...AS_JSON,
]

/** The same for `restore` and `checkpoint restore`. */
export const restoreCheckpoint: Run = (input, host) => {
  const [checkpoint] = input.operands
  const only = input.text('only')
  const params = { ...(checkpoint === undefined ? {} : { checkpoint }), ...(only === undefined ? {} : { only }) }
  return restoreAsked(input, host, {
    question: 'Restore this?',
    plan: async () => resultOf(await host.ask('restore.plan', params)),
    apply: async () => resultOf(await host.ask('restore.apply', params)),
  })
}

const resultOf = <Value>(answer: Result<{ readonly result: Value }>): Result<Value> => (answer.ok ? done(answer.value.result) : answer)

export const verb: Verb = {
  name: 'restore',
  summary: 'Go back to a checkpoint: its layout and its screens. Programs that run go on, nothing is started.',
  operands: '[checkpoint]',
  options: [
    ...RESTORE_OPTIONS,
    { flags: '--set <when>', help: 'instead: whether the terminal named here is woken after a crash', choices: ON_RESTORE },
  ],
  details: [
    'A checkpoint is named by its id, the beginning of it, latest, or latest~2 for two before it; left out, it is the newest good one.',
    'What is there now becomes a checkpoint first: restoring that one takes it back.',
  ],
  example: ['holdfast restore --plan', 'holdfast restore latest~3 --only main', 'holdfast restore --set wake api'],
  run: (input, host) => (input.text('set') === undefined ? restoreCheckpoint(input, host) : setOnRestore(input, host)),
}

async function setOnRestore(input: Input, host: Host): Promise<Result<ExitCode>> {
  const when = parseChoice(input.text('set'), ON_RESTORE, '--set')
  if (!when.ok) return when
  const [terminal] = input.operands
  if (terminal === undefined || when.value === undefined) return usage('--set needs the terminal that is meant')
  const set = await host.ask('restore.set', { terminal, onRestore: when.value })
  if (!set.ok) return set
  if (asksForJson(input)) host.printJson(set.value.result)
  return done(EXIT.done)
}
