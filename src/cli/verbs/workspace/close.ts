import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const close: Verb = {
  name: 'close',
  summary: 'Remove a workspace. One that has terminals is refused, unless they may move to another one.',
  operands: '<workspace>',
  options: [{ flags: '--move-to <workspace>', help: 'where its terminals go' }, JSON_OPTION],
  example: ['holdfast workspace close side', 'holdfast workspace close side --move-to main'],
  run: async (input, host) => {
    const [workspace = ''] = input.operands
    const moveTo = input.text('moveTo')
    const closed = await host.ask('workspace.close', { workspace, ...(moveTo === undefined ? {} : { moveTo }) })
    if (!closed.ok) return closed
    if (input.flag('json')) host.printJson(closed.value.result)
    return done(EXIT.done)
  },
}
