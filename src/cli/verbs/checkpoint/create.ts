import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import type { Verb } from '../../verb.ts'
import { AS_JSON, asksForJson } from './asJson.ts'
import { goodText } from './words.ts'

export const create: Verb = {
  name: 'create',
  summary: 'Take a checkpoint now. It is kept six times as long as those that come by themselves.',
  options: [{ flags: '-n, --note <text>', help: 'why, for the list' }, ...AS_JSON],
  example: ['holdfast checkpoint create', 'holdfast checkpoint create --note "before the upgrade"'],
  run: async (input, host) => {
    const note = input.text('note')
    const created = await host.ask('checkpoint.create', note === undefined ? {} : { note })
    if (!created.ok) return created
    const checkpoint = created.value.result
    if (asksForJson(input)) host.printJson(checkpoint)
    else host.print(checkpoint.id)
    if (!checkpoint.knownGood) host.complain(`holdfast: it is ${goodText(checkpoint)}, so that no restore begins with it by itself`)
    return done(EXIT.done)
  },
}
