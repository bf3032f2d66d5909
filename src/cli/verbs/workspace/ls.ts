import { done } from '../../../base/refusal.ts'
import type { WorkspaceListed } from '../../../wire/view.ts'
import { paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import { type Column, tableText } from '../../table.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const ls: Verb = {
  name: 'ls',
  alias: 'list',
  summary: 'List all workspaces.',
  options: [JSON_OPTION],
  example: ['holdfast workspace ls', "holdfast workspace ls --json | jq -r '.[].name'"],
  run: async (input, host) => {
    const listed = await host.ask('workspace.list', {})
    if (!listed.ok) return listed
    const workspaces = listed.value.result
    if (input.flag('json')) {
      host.printJson(workspaces)
      return done(EXIT.done)
    }
    const palette = paletteFor(host.stdout, host.env)
    const columns: readonly Column<WorkspaceListed>[] = [
      { title: 'ID', text: ({ id }) => id, paint: () => palette.bold },
      { title: 'NAME', text: ({ name }) => name, shrinks: true },
      { title: 'GROUP', text: ({ group }) => group, shrinks: true },
      { title: 'TERMINALS', text: ({ terminals }) => String(terminals.length) },
    ]
    host.print(await tableText(workspaces, columns, host))
    return done(EXIT.done)
  },
}
