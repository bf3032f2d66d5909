/** config.toml as the CLI reads it: its values and its errors. */
import { readIfThere } from '../../client/wholeFile.ts'
import type { Config, ConfigProblem } from '../../wire/config/config.ts'

export type Loaded = {
  /** The defaults if the file is missing or invalid. */
  readonly config: Config
  readonly exists: boolean
  readonly problems: readonly ConfigProblem[]
}

export async function loadConfig(file: string): Promise<Loaded> {
  const { defaultConfig, parseConfig } = await import('../../wire/config/config.ts')
  const text = readText(file)
  if (text === null) return { config: defaultConfig, exists: false, problems: [] }
  if (typeof text !== 'string') {
    const problem = { line: 0, key: '', message: `cannot be read (${text.code ?? text.message})` }
    return { config: defaultConfig, exists: true, problems: [problem] }
  }
  const parsed = parseConfig(text)
  return parsed.ok
    ? { config: parsed.config, exists: true, problems: [] }
    : { config: defaultConfig, exists: true, problems: parsed.problems }
}

export const problemText = (file: string, { line, message }: ConfigProblem): string => `${file}${line > 0 ? `:${line}` : ''}: ${message}`

/** Null if it does not exist. */
function readText(file: string): string | null | NodeJS.ErrnoException {
  try {
    return readIfThere(file)
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
