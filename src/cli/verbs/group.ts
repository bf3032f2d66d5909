import type { GroupView } from '../../wire/topologyView.ts'
import { COLORS } from '../../workspace/layout/groups.ts'
import { given, show, showTable } from '../core/answers.ts'
import { chosen, parseChoice, parsePosition } from '../core/parse.ts'
import type { Verb } from '../core/verb.ts'
import type { Column } from '../text/table.ts'

const COLUMNS: readonly Column<GroupView>[] = [
  { title: 'ID', text: ({ id }) => id, tone: 'bold' },
  { title: 'NAME', text: ({ name }) => name, shrinks: true },
  { title: 'COLOR', text: ({ color }) => color },
  { title: 'WORKSPACES', text: ({ workspaces }) => workspaces.map(({ name }) => name).join(', '), shrinks: true },
]

const ls: Verb = {
  name: 'ls',
  alias: 'list',
  summary: 'List all groups with their workspaces.',
  json: 'print JSON, with the layout of each workspace',
  example: ['holdfast group ls', "holdfast group ls --json | jq '.[].workspaces[].layout'"],
  run: (cli) => showTable(cli, cli.ask('group.list', {}), { columns: COLUMNS }),
}

const make: Verb = {
  name: 'new',
  summary: 'Add a group of workspaces and print its id.',
  operands: '<name>',
  options: [{ flags: '--color <color>', help: 'color of the group (default: the next one)', choices: COLORS }],
  example: ['holdfast group new work --color green', 'holdfast workspace new api --group work'],
  run: (cli, input) => {
    const [name = ''] = input.operands
    return show(cli, cli.ask('group.new', { name, ...given({ color: chosen(input.text('color'), COLORS) }) }), ({ id }) => id)
  },
}

const rename: Verb = {
  name: 'rename',
  summary: 'Rename a group.',
  operands: '<group> <name>',
  example: ['holdfast group rename work office'],
  run: (cli, { operands: [group = '', name = ''] }) => show(cli, cli.ask('group.rename', { group, name })),
}

const color: Verb = {
  name: 'color',
  summary: 'Change the color of a group.',
  details: [`Colors: ${COLORS.join(', ')}.`],
  operands: '<group> <color>',
  completes: COLORS,
  example: ['holdfast group color work purple'],
  run: async (cli, input) => {
    const [group = '', typed = ''] = input.operands
    const chosenColor = parseChoice(typed, COLORS, 'a color')
    return chosenColor.ok ? await show(cli, cli.ask('group.color', { group, color: chosenColor.value })) : chosenColor
  },
}

const move: Verb = {
  name: 'move',
  summary: 'Move a group to a position, counted from 1.',
  operands: '<group> <position>',
  example: ['holdfast group move work 1'],
  run: async (cli, input) => {
    const [group = '', typed = ''] = input.operands
    const index = parsePosition(typed)
    return index.ok ? await show(cli, cli.ask('group.move', { group, index: index.value })) : index
  },
}

const close: Verb = {
  name: 'close',
  summary: 'Close an empty group.',
  operands: '<group>',
  example: ['holdfast group close work'],
  run: (cli, input) => show(cli, cli.ask('group.close', { group: input.operands[0] ?? '' })),
}

export const verb: Verb = {
  name: 'group',
  summary: 'List, add, rename, color, move and close workspace groups.',
  example: ['holdfast group ls', 'holdfast group new work --color green'],
  verbs: [ls, make, rename, color, move, close],
}
