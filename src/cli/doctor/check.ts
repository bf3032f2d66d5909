/**
 * `holdfast doctor`: one file per subject (processes, state, tmux, tools), each with checks that return findings. Nothing here
 * starts a daemon. Start reading here; the verb runs all checks and prints the findings.
 */
type Level = 'ok' | 'warn' | 'bad'

export type Finding = {
  readonly name: string
  readonly level: Level
  readonly detail: string
  /** What to do about it; empty if nothing is wrong. */
  readonly advice: string
}

export const ok = (name: string, detail: string): Finding => ({ name, level: 'ok', detail, advice: '' })
export const warn = (name: string, detail: string, advice: string): Finding => ({ name, level: 'warn', detail, advice })
export const bad = (name: string, detail: string, advice: string): Finding => ({ name, level: 'bad', detail, advice })

/** A check that throws becomes a finding, so that the others are still printed. */
export async function guarded(name: string, check: () => Promise<readonly Finding[]> | readonly Finding[]): Promise<readonly Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [
      bad(
        name,
        `could not be checked: ${error instanceof Error ? error.message : String(error)}`,
        'Report this with the output of holdfast doctor --json.',
      ),
    ]
  }
}
