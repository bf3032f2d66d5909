import { resolve } from 'node:path'
import { done, refusals, refused } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { loadConfig, problemText } from '../../loadConfig.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const check: Verb = {
  name: 'check',
  summary: 'Check config.toml, or another file, and name every line that is wrong.',
  operands: '[file]',
  completes: 'file',
  options: [JSON_OPTION],
  example: ['holdfast config check', 'holdfast config check ./new-config.toml'],
  run: async (input, host) => {
    const [typed] = input.operands
    const file = typed === undefined ? host.paths.config : resolve(host.cwd, typed)
    const { exists, problems } = await loadConfig(file)
    if (typed !== undefined && !exists) return refused(refusals.configInvalid(`${file} does not exist.`))
    if (input.flag('json')) host.printJson({ file, exists, problems })
    else if (problems.length === 0) host.print(exists ? `${file} is fine.` : `${file} does not exist; the defaults are in force.`)
    else for (const problem of problems) host.print(problemText(file, problem))
    return done(problems.length === 0 ? EXIT.done : EXIT.refused)
  },
}
