/** config.toml as the CLI reads it: the values, and what is wrong with the file. */
import { readFileSync } from 'node:fs'
import type { Config, ConfigProblem } from '../wire/config.ts'

export type Loaded = {
  /** The defaults where the file is missing or wrong. */
  readonly config: Config
  readonly exists: boolean
  readonly problems: readonly ConfigProblem[]
}

export async function loadConfig(file: string): Promise<Loaded> {
  const { defaultConfig, parseConfig } = await import('../wire/config.ts')
  const text = readText(file)
  if (typeof text !== 'string') {
    const missing = text.code === 'ENOENT'
    const problem = { line: 0, key: '', message: `it cannot be read (${text.code ?? text.message})` }
    return { config: defaultConfig, exists: !missing, problems: missing ? [] : [problem] }
  }
  const parsed = parseConfig(text)
  return parsed.ok
    ? { config: parsed.config, exists: true, problems: [] }
    : { config: defaultConfig, exists: true, problems: parsed.problems }
}

export const problemText = (file: string, { line, message }: ConfigProblem): string => `${file}${line > 0 ? `:${line}` : ''}: ${message}`

function readText(file: string): string | NodeJS.ErrnoException {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
