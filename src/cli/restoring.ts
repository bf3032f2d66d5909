/** Restoring on the command line: the plan is shown, then asked about, then carried out. */
import { done, type Result } from '../base/refusal.ts'
import type { RestorePlanView } from '../wire/restoreView.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import { usage } from './parse.ts'
import type { Input } from './verb.ts'
import { asksForJson } from './verbs/checkpoint/asJson.ts'

export type Applied = { readonly plan: RestorePlanView; readonly undo: string }

export type Restoring = {
  readonly question: string
  plan(): Promise<Result<RestorePlanView>>
  apply(): Promise<Result<Applied>>
}

/** `--plan` only shows; `--yes` does not ask. Where nobody can be asked, it must be said. */
export async function restoreAsked(input: Input, host: Host, { question, plan, apply }: Restoring): Promise<Result<ExitCode>> {
  const json = asksForJson(input)
  if (input.flag('plan') || !input.flag('yes')) {
    const planned = await plan()
    if (!planned.ok) return planned
    if (input.flag('plan')) {
      if (json) host.printJson(planned.value)
      else host.print(planned.value.lines.join('\n'))
      return done(EXIT.done)
    }
    if (host.stdin.isTTY !== true) return usage('nobody can be asked here; --yes restores, --plan only shows what would happen')
    if (!(await confirm(`${planned.value.lines.join('\n')}\n${question}`, host))) return done(EXIT.refused)
  }
  const applied = await apply()
  if (!applied.ok) return applied
  if (json) host.printJson(applied.value)
  else host.print(`${summaryOf(applied.value.plan)}\nholdfast restore ${applied.value.undo} takes it back.`)
  return done(EXIT.done)
}

const WORDS = [
  ['bringBack', 'brought back'],
  ['rest', 'as they were'],
  ['lost', 'asleep, lost'],
  ['adopt', 'running on'],
  ['keepStranger', 'kept beside'],
  ['forget', 'forgotten'],
] as const

function summaryOf({ checkpoint, steps, missingPaths }: RestorePlanView): string {
  const counts = WORDS.flatMap(([kind, word]) => {
    const count = steps.filter((step) => step.kind === kind).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const missing = missingPaths.map(({ path, terminals }) => `\nmissing: ${path} (${terminals.join(', ')})`).join('')
  return `Restored ${checkpoint.id}: ${counts.length === 0 ? 'nothing to do' : counts.join(', ')}.${missing}`
}
