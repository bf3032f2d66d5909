import { resolve } from 'node:path'
import { done } from '../../base/refusal.ts'
import { PASSPHRASE_OPTION, sealedAsker } from '../passphrase.ts'
import { restoreAsked } from '../restoring.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'import',
  summary: 'Add an exported workspace beside what is here, asleep.',
  operands: '<file>',
  completes: 'file',
  options: [
    { flags: '--plan', help: 'only show what would happen' },
    { flags: '-y, --yes', help: 'do not ask' },
    PASSPHRASE_OPTION,
    JSON_OPTION,
  ],
  details: [
    'The plan shows the whole command of every terminal. Nothing is started and nothing that is here changes: the terminals',
    'are asleep, without variables of their own, and the first wake of each shows its command again and asks.',
    'Directories and programs that do not exist here are listed. A sealed file asks for its passphrase.',
  ],
  example: ['holdfast import desk.holdfast --plan', 'holdfast import desk.holdfast --yes'],
  run: (input, host) => {
    const file = resolve(host.cwd, input.operands[0] ?? '')
    const opened = sealedAsker(input, host)
    return restoreAsked(input, host, {
      question: 'Import this?',
      plan: async () => {
        const planned = await opened((known) => host.ask('workspace.import', { file, planOnly: true, ...known }))
        return planned.ok ? done(planned.value.result.plan) : planned
      },
      apply: async () => {
        const applied = await opened((known) => host.ask('workspace.import', { file, planOnly: false, ...known }))
        return applied.ok ? done({ plan: applied.value.result.plan, undo: applied.value.result.undo ?? '' }) : applied
      },
    })
  },
}
