/** config.toml: every problem in it is a line of its own. */
import type { Paths } from '../../wire/paths.ts'
import { loadConfig, problemText } from '../loadConfig.ts'
import { bad, type Finding, ok } from './check.ts'

export async function checkConfig(paths: Paths): Promise<readonly Finding[]> {
  const { exists, problems } = await loadConfig(paths.config)
  if (problems.length > 0)
    return problems.map((problem) =>
      bad('config', problemText(paths.config, problem), 'Correct the line; until then the last good values are in force.'),
    )
  return [ok('config', exists ? paths.config : 'none; the defaults are in force')]
}
