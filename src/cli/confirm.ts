/** Questions before something is done; whoever ends the input without an answer has said nothing. */
import type { Host } from './host.ts'

/** Anything but yes is no. */
export async function confirm(question: string, host: Pick<Host, 'stdin' | 'stderr'>): Promise<boolean> {
  return /^y(es)?$/i.test(await typed(`${question} [y/N] `, host))
}

/** What is typed, without the blanks around it. */
export async function typed(question: string, host: Pick<Host, 'stdin' | 'stderr'>): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: host.stdin, output: host.stderr })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return (await Promise.race([lines.question(question), ended])).trim()
  } finally {
    lines.close()
  }
}
