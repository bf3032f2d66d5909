/** How answers of the daemon are printed: JSON with --json, else text. A refusal is returned, and printed by the command line. */
import { done, type Result, refused } from '../../base/refusal.ts'
import type { TerminalView } from '../../wire/view.ts'
import { refusalText } from '../text/refusalText.ts'
import { type Column, tableText } from '../text/table.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Cli, Input } from './verb.ts'

type Answer<Value> = Result<{ readonly result: Value }>
type Asked<Value> = Answer<Value> | Promise<Answer<Value>>

/** Without a `text`, only --json prints something. */
export async function show<Value>(
  cli: Cli,
  asked: Asked<Value>,
  text?: (value: Value) => string | Promise<string>,
): Promise<Result<ExitCode>> {
  const answer = await asked
  if (!answer.ok) return answer
  return await print(cli, answer.value.result, text)
}

export async function print<Value>(cli: Cli, value: Value, text?: (value: Value) => string | Promise<string>): Promise<Result<ExitCode>> {
  if (cli.isJson) cli.printJson(value)
  else if (text !== undefined) cli.print(await text(value))
  return done(EXIT.done)
}

/** A list as a table; `none` is printed for an empty one. */
export const showTable = <Row>(
  cli: Cli,
  asked: Asked<readonly Row[]>,
  { columns, none }: { readonly columns: readonly Column<Row>[]; readonly none?: string },
): Promise<Result<ExitCode>> => show(cli, asked, (rows) => (rows.length === 0 && none !== undefined ? none : tableText(rows, columns, cli)))

/** What a command answered, without what came with it. */
export const resultOf = <Value>(answer: Answer<Value>): Result<Value> => (answer.ok ? done(answer.value.result) : answer)

/** Parameters without those that were not given. */
export function given<Values extends object>(values: Values): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<typeof given<Values>>
}

/** Does one thing to every named terminal, and prints the changed ones with --json. */
export async function changeEach(
  cli: Cli,
  input: Input,
  change: (terminal: string) => Promise<Answer<TerminalView>>,
): Promise<Result<ExitCode>> {
  const changed: TerminalView[] = []
  const outcome = await forEach(input.operands, cli, async (terminal) => {
    const answer = await change(terminal)
    if (answer.ok) changed.push(answer.value.result)
    return answer
  })
  if (cli.isJson) cli.printJson(changed)
  return outcome
}

/** A refusal for one does not stop the others. */
export async function forEach(
  refs: readonly string[],
  cli: Pick<Cli, 'complain'>,
  act: (ref: string) => Result<unknown> | Promise<Result<unknown>>,
): Promise<Result<ExitCode>> {
  const outcomes: Result<unknown>[] = []
  for (const ref of refs) outcomes.push(await act(ref))
  return outcomeOf(outcomes, cli)
}

/** The last refusal is returned, for its exit code; those before it are printed here. */
export function outcomeOf(outcomes: readonly Result<unknown>[], cli: Pick<Cli, 'complain'>): Result<ExitCode> {
  const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.refusal]))
  for (const refusal of refusals.slice(0, -1)) cli.complain(refusalText(refusal))
  const last = refusals.at(-1)
  return last === undefined ? done(EXIT.done) : refused(last)
}
