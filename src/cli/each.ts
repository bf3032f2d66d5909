/** A verb over several terminals: one that is refused does not keep the others from their turn. */
import { done, type Refusal, type Result, refused } from '../base/refusal.ts'
import type { TerminalView } from '../wire/view.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import { refusalText } from './refusalText.ts'
import type { Input } from './verb.ts'

/** Does one thing to every terminal that was named; for programs, prints those that it was done to. */
export async function changeEach(
  input: Input,
  host: Host,
  change: (terminal: string) => Promise<Result<{ readonly result: TerminalView }>>,
): Promise<Result<ExitCode>> {
  const changed: TerminalView[] = []
  const outcome = await forEach(input.operands, host, async (terminal) => {
    const answer = await change(terminal)
    if (answer.ok) changed.push(answer.value.result)
    return answer
  })
  if (input.flag('json')) host.printJson(changed)
  return outcome
}

/** The last refusal is returned, for its exit code; those before it have been printed. */
export async function forEach(
  refs: readonly string[],
  host: Host,
  act: (ref: string) => Result<unknown> | Promise<Result<unknown>>,
): Promise<Result<ExitCode>> {
  const failures: Refusal[] = []
  for (const ref of refs) {
    const outcome = await act(ref)
    if (!outcome.ok) failures.push(outcome.refusal)
  }
  const last = failures.pop()
  for (const refusal of failures) host.complain(refusalText(refusal))
  return last === undefined ? done(EXIT.done) : refused(last)
}
