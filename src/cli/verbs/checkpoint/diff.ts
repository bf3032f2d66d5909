import { done } from '../../../base/refusal.ts'
import { paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import type { Verb } from '../../verb.ts'
import { ADDRESSES, AS_JSON, asksForJson } from './asJson.ts'

export const diff: Verb = {
  name: 'diff',
  summary: 'Print what is different between a checkpoint and another one, or now.',
  operands: '<from> [to]',
  completes: ['latest', 'now'],
  options: AS_JSON,
  example: ['holdfast checkpoint diff latest', 'holdfast checkpoint diff latest~5 latest', 'holdfast checkpoint diff c8f now --json'],
  details: [...ADDRESSES, 'Without a second one, it is compared with now. + came, - went, ~ is another than it was.'],
  run: async (input, host) => {
    const [from = '', to = 'now'] = input.operands
    const compared = await host.ask('checkpoint.diff', { from, to })
    if (!compared.ok) return compared
    const { diff: found, ...sides } = compared.value.result
    if (asksForJson(input)) host.printJson(compared.value.result)
    else {
      const { diffLines } = await import('../../../workspace/checkpointDiffText.ts')
      const { good, bad, dim } = paletteFor(host.stdout, host.env)
      host.print(dim(`${sides.from} → ${sides.to}`))
      for (const line of diffLines(found)) host.print(line.startsWith('+') ? good(line) : line.startsWith('-') ? bad(line) : line)
    }
    return done(EXIT.done)
  },
}
