import { done } from '../../../base/refusal.ts'
import type { GroupView } from '../../../wire/topologyView.ts'
import { paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import { type Column, tableText } from '../../table.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const ls: Verb = {
  name: 'ls',
  alias: 'list',
  summary: 'List all groups with their workspaces.',
  options: [{ ...JSON_OPTION, help: 'print JSON, for programs: also how each workspace is laid out' }],
  example: ['holdfast group ls', "holdfast group ls --json | jq '.[].workspaces[].layout'"],
  run: async (input, host) => {
    const listed = await host.ask('group.list', {})
    if (!listed.ok) return listed
    const groups = listed.value.result
    if (input.flag('json')) {
      host.printJson(groups)
      return done(EXIT.done)
    }
    const palette = paletteFor(host.stdout, host.env)
    const columns: readonly Column<GroupView>[] = [
      { title: 'ID', text: ({ id }) => id, paint: () => palette.bold },
      { title: 'NAME', text: ({ name }) => name, shrinks: true },
      { title: 'COLOR', text: ({ color }) => color },
      { title: 'WORKSPACES', text: ({ workspaces }) => workspaces.map(({ name }) => name).join(', '), shrinks: true },
    ]
    host.print(await tableText(groups, columns, host))
    return done(EXIT.done)
  },
}
