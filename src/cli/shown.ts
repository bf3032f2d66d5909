/** For verbs that change something and have nothing to say but, to programs, how it is then. */
import { done, type Result } from '../base/refusal.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import type { Input } from './verb.ts'

export async function showForPrograms(
  input: Input,
  host: Host,
  asked: Promise<Result<{ readonly result: unknown }>>,
): Promise<Result<ExitCode>> {
  const answer = await asked
  if (!answer.ok) return answer
  if (input.flag('json')) host.printJson(answer.value.result)
  return done(EXIT.done)
}
