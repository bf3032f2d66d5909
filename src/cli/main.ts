/** The command line: finds the verb, runs it, and turns what it says into text and an exit code. */
import { type Refusal, refusals } from '../base/refusal.ts'
import { EXIT, type ExitCode, exitCodeOf } from './exit.ts'
import { createHost } from './host.ts'
import { parse } from './program.ts'
import { refusalText } from './refusalText.ts'
import { verb as root } from './verbs/root.ts'
import { isVerb, loadAllVerbs, verbsFor } from './verbs.ts'
import { VERSION } from './version.ts'

const HELP_COLUMNS = 100 // where the output has no width of its own

export async function main(argv: readonly string[]): Promise<void> {
  // `holdfast ls | head -1` closes our output early; that is the reader's right, not a failure.
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
  const host = createHost(process, loadAllVerbs)
  const complain = (said: Refusal): ExitCode => {
    const refusal = said.code === 'usage' ? refusals.usage(said.message, helpCommand(argv)) : said
    host.complain(wantsJson(argv) ? JSON.stringify({ refusal }) : refusalText(refusal))
    return exitCodeOf(refusal.code)
  }
  try {
    const columns = process.stdout.columns ?? HELP_COLUMNS
    const printer = { print: (text: string) => void process.stdout.write(text), columns }
    const parsed = parse({ root, verbs: await verbsFor(argv), version: VERSION }, argv, printer)
    if (parsed.kind === 'shown') return EXIT.done
    if (parsed.kind === 'usage') return complain(refusals.usage(parsed.message, ''))
    const outcome = await parsed.verb.run?.(parsed.input, host)
    if (outcome === undefined || outcome.ok) return outcome?.value ?? EXIT.done
    return complain(outcome.refusal)
  } catch (error) {
    return complain(refusals.unexpected(error instanceof Error ? error.message : String(error)))
  } finally {
    host.close()
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

/** A pipe may still be taking what was printed: leave when it has. */
function leave(code: ExitCode): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
