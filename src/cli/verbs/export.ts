import { resolve } from 'node:path'
import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'export',
  summary: 'Write the workspace with its screens into one file, to take it to another machine.',
  operands: '<file>',
  completes: 'file',
  options: [
    { flags: '--only <workspace>', help: 'only this workspace' },
    { flags: '--checkpoint <checkpoint>', help: 'as it was then (as it is now)' },
    { flags: '--force', help: 'replace the file if there is one' },
    JSON_OPTION,
  ],
  details: ['Values that look like secrets are left out. What programs printed is in it as it is on their screens.'],
  example: ['holdfast export ~/desk.holdfast', 'holdfast export api.holdfast --only api --checkpoint latest~2'],
  run: async (input, host) => {
    const only = input.text('only')
    const checkpoint = input.text('checkpoint')
    const written = await host.ask('workspace.export', {
      file: resolve(host.cwd, input.operands[0] ?? ''),
      force: input.flag('force'),
      ...(only === undefined ? {} : { only }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
    })
    if (!written.ok) return written
    const { file, terminals, screens, bytes } = written.value.result
    if (input.flag('json')) host.printJson(written.value.result)
    else host.print(`${file}: ${terminals} terminals, ${screens} screens, ${bytes} bytes.`)
    return done(EXIT.done)
  },
}
