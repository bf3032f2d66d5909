/** Puts the terminals that were named to sleep. Where somebody can be asked, a loss is a question. */
import type { Result } from '../../base/refusal.ts'
import type { TerminalView } from '../../wire/view.ts'
import { confirm } from '../confirm.ts'
import { forEach } from '../each.ts'
import type { ExitCode } from '../exit.ts'
import type { Host } from '../host.ts'
import { letGoText } from './letGoText.ts'

export async function sleepNamed(
  refs: readonly string[],
  host: Host,
  { force, isJson }: { readonly force: boolean; readonly isJson: boolean },
): Promise<Result<ExitCode>> {
  const slept: TerminalView[] = []
  const outcome = await forEach(refs, host, async (terminal) => {
    const first = await host.ask('terminal.sleep', { terminal, force })
    const answer = !first.ok && (await isAgreed(first, host)) ? await host.ask('terminal.sleep', { terminal, force: true }) : first
    if (answer.ok) slept.push(answer.value.result)
    if (answer.ok && !isJson && answer.value.result.backend === 'guest') host.print(letGoText(answer.value.result))
    return answer
  })
  if (isJson) host.printJson(slept)
  return outcome
}

async function isAgreed({ refusal }: Extract<Result<unknown>, { readonly ok: false }>, host: Host): Promise<boolean> {
  if (refusal.code !== 'would-lose' || host.stdin.isTTY !== true) return false
  return await confirm(`${refusal.message} Put it to sleep anyway?`, host)
}
