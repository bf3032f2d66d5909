import { ageText } from '../../base/format.ts'
import { refusals, refused } from '../../base/refusal.ts'
import type { AuthLogEntry, DeviceView } from '../../wire/deviceView.ts'
import { given, show, showTable } from '../core/answers.ts'
import type { Verb } from '../core/verb.ts'
import { timeText } from '../text/format.ts'
import type { Column } from '../text/table.ts'
import { printLink } from './root.ts'

const NO_BROWSER = 'No browser is logged in. Open one with holdfast, or print a link with holdfast auth link.'

const ls: Verb = {
  name: 'ls',
  alias: 'list',
  summary: 'List logged-in browsers, last used first.',
  example: ['holdfast auth ls', "holdfast auth ls --json | jq -r '.[].id'"],
  run: (cli) => showTable(cli, cli.ask('device.list', {}), { columns: deviceColumns(Date.now()), none: NO_BROWSER }),
}

const deviceColumns = (now: number): readonly Column<DeviceView>[] => [
  { title: 'ID', text: ({ id }) => id, tone: 'bold' },
  { title: 'NAME', text: ({ name }) => name, shrinks: true },
  { title: 'ADDRESS', text: ({ address }) => address },
  { title: 'MAY', text: mayText },
  { title: 'FIRST USED', text: ({ firstUsed }) => `${ageText(now - firstUsed)} ago` },
  { title: 'LAST USED', text: ({ open, lastUsed }) => (open > 0 ? 'now' : `${ageText(now - lastUsed)} ago`) },
  { title: 'ADDED BY', text: ({ addedBy }) => addedBy ?? 'command line', tone: 'dim', shrinks: true },
]

function mayText({ capability }: DeviceView): string {
  if (capability.kind !== 'view') return capability.kind
  return capability.terminals === 'all'
    ? 'view'
    : `view ${capability.terminals.length} terminal${capability.terminals.length === 1 ? '' : 's'}`
}

const link: Verb = {
  name: 'link',
  summary: 'Print a link that logs in one browser, once.',
  operands: '[terminal...]',
  completes: 'terminals',
  options: [
    { flags: '--view', help: 'view only: the given terminals, or all of them' },
    { flags: '--name <name>', help: 'name of the browser' },
  ],
  example: ['holdfast auth link', 'holdfast auth link --view --name "wall screen"', 'holdfast auth link --view api web'],
  details: ['The link works for ten minutes. Anyone who has it can log in with it.'],
  run: async (cli, input) => {
    const terminals = [...input.operands]
    if (terminals.length > 0 && !input.flag('view'))
      return refused(refusals.usage('Terminals can be given only with --view.', 'holdfast auth link --help'))
    const view = input.flag('view') ? (terminals.length === 0 ? ('all' as const) : terminals) : undefined
    const made = await cli.ask('web.login', given({ view, name: input.text('name') }))
    return made.ok ? await printLink(cli, made.value.result, made.value.result.url) : made
  },
}

const rename: Verb = {
  name: 'rename',
  summary: 'Rename a logged-in browser.',
  operands: '<device> <name>',
  example: ['holdfast auth rename d3k "laptop"', 'holdfast auth rename "Firefox on Linux" desk'],
  run: (cli, { operands: [device = '', name = ''] }) => show(cli, cli.ask('device.rename', { device, name })),
}

const revoke: Verb = {
  name: 'revoke',
  summary: 'Log out browsers and close their pages.',
  operands: '[device...]',
  options: [{ flags: '--all', help: 'every browser' }],
  example: ['holdfast auth revoke d3k', 'holdfast auth revoke "Firefox on Linux"', 'holdfast auth revoke --all'],
  details: ['Name a device by its id, a unique prefix of it, or its name (holdfast auth ls).'],
  run: async (cli, input) => {
    const [devices, all] = [[...input.operands], input.flag('all')]
    if (all === devices.length > 0) return refused(refusals.usage('Name the devices, or use --all.', 'holdfast auth revoke --help'))
    return await show(cli, cli.ask('device.revoke', { devices: all ? 'all' : devices }), (gone) =>
      gone.length === 0 ? 'No browser was logged in.' : gone.map(({ id, name }) => `Revoked ${id} (${name})`).join('\n'),
    )
  },
}

const USUAL_ENTRIES = 50
const MOST_ENTRIES = 1_000

const LOG_COLUMNS: readonly Column<AuthLogEntry>[] = [
  { title: 'TIME', text: ({ at }) => timeText(at), tone: 'dim' },
  { title: 'WHAT', text: ({ what }) => what, tone: ({ what }) => (what === 'refused' || what === 'port' ? 'warn' : 'bold') },
  { title: 'DEVICE', text: ({ device }) => device ?? '' },
  { title: 'DETAILS', text: ({ details }) => details, shrinks: true },
]

const log: Verb = {
  name: 'log',
  summary: 'Show logins, refusals and revocations, newest first.',
  options: [{ flags: '-n, --lines <count>', help: `number of entries (default: ${USUAL_ENTRIES}, at most ${MOST_ENTRIES})` }],
  example: ['holdfast auth log', 'holdfast auth log --json | jq \'.[] | select(.what == "refused")\''],
  run: async (cli, input) => {
    const limit = Number(input.text('lines') ?? USUAL_ENTRIES)
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ENTRIES)
      return refused(refusals.usage(`--lines must be a whole number from 1 to ${MOST_ENTRIES}.`, 'holdfast auth log --help'))
    return await showTable(cli, cli.ask('device.log', { limit }), { columns: LOG_COLUMNS, none: 'Nothing has been logged yet.' })
  },
}

export const verb: Verb = {
  name: 'auth',
  summary: 'List, add, rename and revoke logged-in browsers.',
  example: ['holdfast auth ls', 'holdfast auth link --view', 'holdfast auth revoke "Firefox on Linux"'],
  details: [
    'A logged-in browser is a device. Its key works only at the address where it',
    'logged in, and expires when unused ([devices] expire_days in config.toml).',
  ],
  verbs: [ls, link, rename, revoke, log],
}
