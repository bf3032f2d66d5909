/**
 * The command line: finds the verb, runs it, and turns its result into text and an exit code. `program` parses with commander,
 * `verbs` lists all verbs, `cli` connects them with this process. Verbs are in `verbs/`, one file per noun; large ones have a
 * folder (`attach/`, `daemon/`, `doctor/`, `hooks/`, `shells/`, `waking/`, `watch/`). `core/` is what verbs share, `text/` is
 * below it. Nothing below imports this folder. Start reading here.
 */
import { type Refusal, refusals } from '../base/refusal.ts'
import { VERSION } from '../client/version.ts'
import { createCli } from './cli.ts'
import { EXIT, type ExitCode, exitCodeOf } from './core/exit.ts'
import type { Cli } from './core/verb.ts'
import { parse } from './program.ts'
import { refusalText } from './text/refusalText.ts'
import { verb as root } from './verbs/root.ts'
import { isVerb, loadAllVerbs, verbsFor } from './verbs.ts'

const HELP_COLUMNS = 100 // if the output is not a terminal

export async function main(argv: readonly string[]): Promise<void> {
  // `holdfast ls | head -1` closes the output early, which is not a failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(EXIT.done)
      if (error.code === 'EIO') process.exit(EXIT.refused) // the user's terminal is gone
      throw error
    })
  }
  leave(await run(argv))
}

async function run(argv: readonly string[]): Promise<ExitCode> {
  const complain = (said: Refusal): ExitCode => {
    const refusal = said.code === 'usage' ? refusals.usage(said.message, helpCommand(argv)) : said
    process.stderr.write(`${wantsJson(argv) ? JSON.stringify({ refusal }) : refusalText(refusal)}\n`)
    return exitCodeOf(refusal.code)
  }
  let cli: Cli | null = null
  try {
    const columns = process.stdout.columns ?? HELP_COLUMNS
    const printer = { print: (text: string) => void process.stdout.write(text), columns }
    const parsed = parse({ root, verbs: await verbsFor(argv), version: VERSION }, argv, printer)
    if (parsed.kind === 'shown') return EXIT.done
    if (parsed.kind === 'usage') return complain(refusals.usage(parsed.message, ''))
    const { verb, input } = parsed
    cli = createCli(process, input.flag('json') || input.text('format') === 'json', loadAllVerbs)
    const outcome = await verb.run?.(cli, input)
    if (outcome === undefined || outcome.ok) return outcome?.value ?? EXIT.done
    return complain(outcome.refusal)
  } catch (error) {
    return complain(refusals.unexpected(error instanceof Error ? error.message : String(error)))
  } finally {
    cli?.close()
  }
}

function helpCommand(argv: readonly string[]): string {
  const verb = argv[0] ?? ''
  return isVerb(verb) ? `holdfast ${verb} --help` : 'holdfast --help'
}

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  return words.includes('--json') || words.some((word, at) => word === 'json' && (words[at - 1] === '-f' || words[at - 1] === '--format'))
}

/** Exits after a pipe has taken all output. */
function leave(code: ExitCode): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
