import { done, refusals, refused } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const revoke: Verb = {
  name: 'revoke',
  summary: 'Log browsers out and close their pages at once.',
  operands: '[device...]',
  options: [{ flags: '--all', help: 'every browser' }, JSON_OPTION],
  example: ['holdfast auth revoke d3k', 'holdfast auth revoke "Firefox on Linux"', 'holdfast auth revoke --all'],
  details: ['A device is named by its id, a unique beginning of its id, or its name; holdfast auth ls shows them.'],
  run: async (input, host) => {
    const [devices, all] = [[...input.operands], input.flag('all')]
    if (all === devices.length > 0) return refused(refusals.usage('Name devices, or use --all.', 'holdfast auth revoke --help'))
    const revoked = await host.ask('device.revoke', { devices: all ? 'all' : devices })
    if (!revoked.ok) return revoked
    const gone = revoked.value.result
    if (input.flag('json')) host.printJson(gone)
    else host.print(gone.length === 0 ? 'No browser was logged in.' : gone.map(({ id, name }) => `Revoked ${id} (${name})`).join('\n'))
    return done(EXIT.done)
  },
}
