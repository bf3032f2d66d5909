import { resolve } from 'node:path'
import { done } from '../../base/refusal.ts'
import { given, show } from '../core/answers.ts'
import { usage } from '../core/parse.ts'
import { newPassphrase, PASSPHRASE_OPTION, sealedAsker } from '../core/questions.ts'
import type { Verb } from '../core/verb.ts'
import { restoreAsked } from './restore.ts'

export const exportVerb: Verb = {
  name: 'export',
  summary: 'Export the workspace to a file, for another machine.',
  operands: '<file>',
  completes: 'file',
  options: [
    { flags: '--only <workspace>', help: 'export only this workspace' },
    { flags: '--checkpoint <checkpoint>', help: 'export this checkpoint (default: the current state)' },
    { flags: '--with-screens', help: 'include screens: all output of programs, even secrets' },
    { flags: '--seal', help: 'encrypt the file with a passphrase' },
    PASSPHRASE_OPTION,
    { flags: '--force', help: 'overwrite an existing file' },
  ],
  details: [
    'The file holds the layout, names, commands, directories and conversation ids,',
    'without values that look like secrets. Screens are included only on request: no',
    'filter can find every secret in the output of programs.',
    '--seal asks for a passphrase twice (scrypt, AES-256-GCM). Without the passphrase',
    'the file cannot be opened.',
  ],
  example: [
    'holdfast export ~/desk.holdfast',
    'holdfast export ~/desk.holdfast --with-screens --seal',
    'holdfast export api.holdfast --only api --checkpoint latest~2',
  ],
  run: async (cli, input) => {
    if (input.text('passphraseFile') !== undefined && !input.flag('seal')) return usage('--passphrase-file needs --seal')
    const passphrase = input.flag('seal') ? await newPassphrase(cli, input) : undefined
    if (passphrase?.ok === false) return passphrase
    const written = cli.ask('workspace.export', {
      file: resolve(cli.cwd, input.operands[0] ?? ''),
      force: input.flag('force'),
      screens: input.flag('withScreens'),
      ...given({ passphrase: passphrase?.value, only: input.text('only'), checkpoint: input.text('checkpoint') }),
    })
    return await show(
      cli,
      written,
      ({ file, terminals, screens, bytes, sealed }) =>
        `${file}: ${terminals} terminals, ${screens === 0 ? 'no' : screens} screens, ${bytes} bytes${sealed ? ', sealed' : ''}.`,
    )
  },
}

export const importVerb: Verb = {
  name: 'import',
  summary: 'Import an exported workspace; its terminals are asleep.',
  operands: '<file>',
  completes: 'file',
  options: [
    { flags: '--plan', help: 'show what would happen, and stop' },
    { flags: '-y, --yes', help: 'do not ask for confirmation' },
    PASSPHRASE_OPTION,
  ],
  details: [
    'The plan shows the full command of every terminal. Nothing is started and nothing',
    'existing changes: the terminals are asleep, without environment variables, and',
    'the first wake of each shows its command again and asks. The plan lists missing',
    'directories and programs. A sealed file asks for its passphrase.',
  ],
  example: ['holdfast import desk.holdfast --plan', 'holdfast import desk.holdfast --yes'],
  run: (cli, input) => {
    const file = resolve(cli.cwd, input.operands[0] ?? '')
    const opened = sealedAsker(cli, input)
    return restoreAsked(cli, input, {
      question: 'Import this?',
      plan: async () => {
        const planned = await opened((known) => cli.ask('workspace.import', { file, planOnly: true, ...known }))
        return planned.ok ? done(planned.value.result.plan) : planned
      },
      apply: async () => {
        const applied = await opened((known) => cli.ask('workspace.import', { file, planOnly: false, ...known }))
        return applied.ok ? done({ plan: applied.value.result.plan, undo: applied.value.result.undo ?? '' }) : applied
      },
    })
  },
}
