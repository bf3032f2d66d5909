import { resolve } from 'node:path'
import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import { usage } from '../parse.ts'
import { newPassphrase, PASSPHRASE_OPTION } from '../passphrase.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'export',
  summary: 'Write the workspace to a file for another machine.',
  operands: '<file>',
  completes: 'file',
  options: [
    { flags: '--only <workspace>', help: 'only this workspace' },
    { flags: '--checkpoint <checkpoint>', help: 'as it was then (as it is now)' },
    { flags: '--with-screens', help: 'include the screens: everything programs printed, secrets too' },
    { flags: '--seal', help: 'encrypt the file with a passphrase' },
    PASSPHRASE_OPTION,
    { flags: '--force', help: 'replace the file if there is one' },
    JSON_OPTION,
  ],
  details: [
    'The file holds the layout, names, commands, directories and conversation ids. Values that look like secrets are left',
    'out. Screens are left out unless you ask for them: nothing can find every secret in what programs printed.',
    '--seal asks for a passphrase twice (scrypt, AES-256-GCM). Without it the file cannot be opened again.',
  ],
  example: [
    'holdfast export ~/desk.holdfast',
    'holdfast export ~/desk.holdfast --with-screens --seal',
    'holdfast export api.holdfast --only api --checkpoint latest~2',
  ],
  run: async (input, host) => {
    const only = input.text('only')
    const checkpoint = input.text('checkpoint')
    if (input.text('passphraseFile') !== undefined && !input.flag('seal')) return usage('--passphrase-file goes with --seal')
    const passphrase = input.flag('seal') ? await newPassphrase(input, host) : null
    if (passphrase?.ok === false) return passphrase
    const written = await host.ask('workspace.export', {
      file: resolve(host.cwd, input.operands[0] ?? ''),
      force: input.flag('force'),
      screens: input.flag('withScreens'),
      ...(passphrase === null ? {} : { passphrase: passphrase.value }),
      ...(only === undefined ? {} : { only }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
    })
    if (!written.ok) return written
    const { file, terminals, screens, bytes, sealed } = written.value.result
    if (input.flag('json')) host.printJson(written.value.result)
    else
      host.print(`${file}: ${terminals} terminals, ${screens === 0 ? 'no' : screens} screens, ${bytes} bytes${sealed ? ', sealed' : ''}.`)
    return done(EXIT.done)
  },
}
