/** A question before something that cannot be taken back; anything but yes is no. */
import type { Host } from './host.ts'

export async function confirm(question: string, host: Pick<Host, 'stdin' | 'stderr'>): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: host.stdin, output: host.stderr })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
