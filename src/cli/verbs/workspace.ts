import type { WorkspaceListed } from '../../wire/view.ts'
import { VIEWS } from '../../workspace/layout/topology.ts'
import { given, show, showTable } from '../core/answers.ts'
import { parseChoice, parsePosition, usage } from '../core/parse.ts'
import type { Verb } from '../core/verb.ts'
import type { Column } from '../text/table.ts'

/** More than the number of workspaces in any group. */
const AT_THE_END = '100000'

const COLUMNS: readonly Column<WorkspaceListed>[] = [
  { title: 'ID', text: ({ id }) => id, tone: 'bold' },
  { title: 'NAME', text: ({ name }) => name, shrinks: true },
  { title: 'GROUP', text: ({ group }) => group, shrinks: true },
  { title: 'TERMINALS', text: ({ terminals }) => String(terminals.length) },
]

const ls: Verb = {
  name: 'ls',
  alias: 'list',
  summary: 'List all workspaces.',
  example: ['holdfast workspace ls', "holdfast workspace ls --json | jq -r '.[].name'"],
  run: (cli) => showTable(cli, cli.ask('workspace.list', {}), { columns: COLUMNS }),
}

const make: Verb = {
  name: 'new',
  summary: 'Add a workspace and print its id.',
  operands: '<name>',
  options: [{ flags: '--group <group>', help: 'add it to this group (default: the first)' }],
  example: ['holdfast workspace new side --group work', 'holdfast new --workspace side -- npm run dev'],
  run: (cli, input) => {
    const [name = ''] = input.operands
    return show(cli, cli.ask('workspace.new', { name, ...given({ group: input.text('group') }) }), ({ id }) => id)
  },
}

const rename: Verb = {
  name: 'rename',
  summary: 'Rename a workspace.',
  operands: '<workspace> <name>',
  example: ['holdfast workspace rename side docs'],
  run: (cli, { operands: [workspace = '', name = ''] }) => show(cli, cli.ask('workspace.rename', { workspace, name })),
}

const view: Verb = {
  name: 'view',
  summary: 'Show a workspace as a split or as a canvas.',
  operands: '<workspace> <view>',
  completes: VIEWS,
  example: ['holdfast workspace view main canvas'],
  run: async (cli, input) => {
    const [workspace = '', typed = ''] = input.operands
    const chosen = parseChoice(typed, VIEWS, 'a view')
    return chosen.ok ? await show(cli, cli.ask('workspace.view', { workspace, view: chosen.value })) : chosen
  },
}

const move: Verb = {
  name: 'move',
  summary: 'Move a workspace within its group or to another one.',
  operands: '<workspace>',
  options: [
    { flags: '--group <group>', help: 'move it to this group' },
    { flags: '--position <number>', help: 'position in the group, counted from 1 (default: the end)' },
  ],
  example: ['holdfast workspace move side --group work', 'holdfast workspace move side --position 1'],
  run: async (cli, input) => {
    const [workspace = ''] = input.operands
    const [group, position] = [input.text('group'), input.text('position')]
    if (group === undefined && position === undefined) return usage('nowhere to move: give --group GROUP or --position NUMBER')
    const index = parsePosition(position ?? AT_THE_END)
    if (!index.ok) return index
    return await show(cli, cli.ask('workspace.move', { workspace, index: index.value, ...given({ group }) }))
  },
}

const close: Verb = {
  name: 'close',
  summary: 'Close a workspace that is empty, or move its terminals.',
  operands: '<workspace>',
  options: [{ flags: '--move-to <workspace>', help: 'move its terminals to this workspace' }],
  example: ['holdfast workspace close side', 'holdfast workspace close side --move-to main'],
  run: (cli, input) => {
    const [workspace = ''] = input.operands
    return show(cli, cli.ask('workspace.close', { workspace, ...given({ moveTo: input.text('moveTo') }) }))
  },
}

export const verb: Verb = {
  name: 'workspace',
  summary: 'List, add, rename, move, view and close workspaces.',
  example: ['holdfast workspace ls', 'holdfast workspace new side'],
  verbs: [ls, make, rename, view, move, close],
}
