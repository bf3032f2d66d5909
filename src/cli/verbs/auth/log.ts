import { done, refusals, refused } from '../../../base/refusal.ts'
import type { AuthLogEntry } from '../../../wire/deviceView.ts'
import { type Palette, paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import { timeText } from '../../format.ts'
import { type Column, tableText } from '../../table.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

const USUAL = 50
const MOST = 1_000

export const log: Verb = {
  name: 'log',
  summary: 'Show logins, refusals and revocations, newest first.',
  options: [{ flags: '-n, --lines <count>', help: `how many entries (default ${USUAL}, at most ${MOST})` }, JSON_OPTION],
  example: ['holdfast auth log', 'holdfast auth log --json | jq \'.[] | select(.what == "refused")\''],
  run: async (input, host) => {
    const limit = Number(input.text('lines') ?? USUAL)
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
      return refused(refusals.usage(`--lines must be a whole number from 1 to ${MOST}.`, 'holdfast auth log --help'))
    const told = await host.ask('device.log', { limit })
    if (!told.ok) return told
    const entries = told.value.result
    const columns = columnsOf(paletteFor(host.stdout, host.env))
    if (input.flag('json')) host.printJson(entries)
    else host.print(entries.length === 0 ? 'Nothing has been logged yet.' : await tableText(entries, columns, host))
    return done(EXIT.done)
  },
}

const columnsOf = (palette: Palette): readonly Column<AuthLogEntry>[] => [
  { title: 'TIME', text: ({ at }) => timeText(at), paint: () => palette.dim },
  { title: 'WHAT', text: ({ what }) => what, paint: ({ what }) => (what === 'refused' || what === 'port' ? palette.warn : palette.bold) },
  { title: 'DEVICE', text: ({ device }) => device ?? '' },
  { title: 'DETAILS', text: ({ details }) => details, shrinks: true },
]
