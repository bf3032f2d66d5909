import { resolve } from 'node:path'
import { done } from '../../base/refusal.ts'
import { restoreAsked } from '../restoring.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'import',
  summary: 'Put an exported workspace beside what is here, asleep. Nothing that is here changes.',
  operands: '<file>',
  completes: 'file',
  options: [{ flags: '--plan', help: 'only show what would happen' }, { flags: '-y, --yes', help: 'do not ask' }, JSON_OPTION],
  details: ['Directories and programs that do not exist here are listed; nothing is started.'],
  example: ['holdfast import desk.holdfast --plan', 'holdfast import desk.holdfast --yes'],
  run: (input, host) => {
    const file = resolve(host.cwd, input.operands[0] ?? '')
    return restoreAsked(input, host, {
      question: 'Import this?',
      plan: async () => {
        const planned = await host.ask('workspace.import', { file, planOnly: true })
        return planned.ok ? done(planned.value.result.plan) : planned
      },
      apply: async () => {
        const applied = await host.ask('workspace.import', { file, planOnly: false })
        return applied.ok ? done({ plan: applied.value.result.plan, undo: applied.value.result.undo ?? '' }) : applied
      },
    })
  },
}
