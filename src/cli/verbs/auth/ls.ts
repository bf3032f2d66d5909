import { done } from '../../../base/refusal.ts'
import type { DeviceView } from '../../../wire/deviceView.ts'
import { type Palette, paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import { ageText } from '../../format.ts'
import { type Column, tableText } from '../../table.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

const NOTHING_YET = 'No browser is logged in. holdfast opens one; holdfast auth link prints a link for another one.'

export const ls: Verb = {
  name: 'ls',
  alias: 'list',
  summary: 'List the browsers that are logged in, last used first.',
  options: [JSON_OPTION],
  example: ['holdfast auth ls', "holdfast auth ls --json | jq -r '.[].id'"],
  run: async (input, host) => {
    const listed = await host.ask('device.list', {})
    if (!listed.ok) return listed
    const devices = listed.value.result
    const columns = columnsOf(paletteFor(host.stdout, host.env), Date.now())
    if (input.flag('json')) host.printJson(devices)
    else host.print(devices.length === 0 ? NOTHING_YET : await tableText(devices, columns, host))
    return done(EXIT.done)
  },
}

const columnsOf = (palette: Palette, now: number): readonly Column<DeviceView>[] => [
  { title: 'ID', text: ({ id }) => id, paint: () => palette.bold },
  { title: 'NAME', text: ({ name }) => name, shrinks: true },
  { title: 'ADDRESS', text: ({ address }) => address },
  { title: 'MAY', text: mayText },
  { title: 'FIRST USED', text: ({ firstUsed }) => `${ageText(now - firstUsed)} ago` },
  { title: 'LAST USED', text: ({ open, lastUsed }) => (open > 0 ? 'now' : `${ageText(now - lastUsed)} ago`) },
  { title: 'ADDED BY', text: ({ addedBy }) => addedBy ?? 'command line', paint: () => palette.dim, shrinks: true },
]

function mayText({ capability }: DeviceView): string {
  if (capability.kind !== 'view') return capability.kind
  return capability.terminals === 'all'
    ? 'view'
    : `view ${capability.terminals.length} terminal${capability.terminals.length === 1 ? '' : 's'}`
}
