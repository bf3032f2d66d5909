/** One line of `doctor`. */
export type Level = 'ok' | 'warn' | 'bad'

export type Finding = {
  readonly name: string
  readonly level: Level
  readonly detail: string
  /** What to do about it; empty when all is well. */
  readonly advice: string
}

export const ok = (name: string, detail: string): Finding => ({ name, level: 'ok', detail, advice: '' })
export const warn = (name: string, detail: string, advice: string): Finding => ({ name, level: 'warn', detail, advice })
export const bad = (name: string, detail: string, advice: string): Finding => ({ name, level: 'bad', detail, advice })

/** A check that fails unexpectedly is a finding too: the others still have their say. */
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
