import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import type { Verb } from '../../verb.ts'

export const example: Verb = {
  name: 'example',
  summary: 'Print a config.toml with every option, its default and what it does.',
  example: ['holdfast config example > "$(holdfast config path)"'],
  run: async (_input, host) => {
    const { exampleConfig } = await import('../../../wire/config.ts')
    host.print(exampleConfig().trimEnd())
    return done(EXIT.done)
  },
}
