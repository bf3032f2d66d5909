import { done } from '../../../base/refusal.ts'
import { paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import { loadConfig, problemText } from '../../loadConfig.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const show: Verb = {
  name: 'show',
  summary: 'Print every option with its value, and what it does.',
  options: [JSON_OPTION],
  example: ['holdfast config show'],
  run: async (input, host) => {
    const { describeConfig } = await import('../../../wire/config.ts')
    const { config, problems } = await loadConfig(host.paths.config)
    for (const problem of problems) host.complain(`holdfast: ${problemText(host.paths.config, problem)}`)
    if (problems.length > 0) host.complain('  These are the defaults; a running daemon keeps its last good values.')
    const rows = describeConfig(config)
    const { bold, dim } = paletteFor(host.stdout, host.env)
    if (input.flag('json')) host.printJson(config)
    else
      for (const { key, value, default: usual, sentence, lines } of rows) {
        const changed = lines === null && value !== usual ? dim(`   # default: ${usual}`) : ''
        host.print(lines === null ? `${bold(key)} = ${value}${changed}` : [bold(`[${key}]`), ...lines].join('\n'))
        host.print(`    ${dim(sentence)}`)
      }
    return done(problems.length === 0 ? EXIT.done : EXIT.refused)
  },
}
