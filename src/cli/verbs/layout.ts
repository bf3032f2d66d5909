/** Where terminals are shown: `move` between places, `layout` for splits, `canvas` for the canvas. */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Rect } from '../../workspace/layout/canvas.ts'
import { PRESETS } from '../../workspace/layout/presets.ts'
import { findTerminal } from '../../workspace/terminal/find.ts'
import { given, show } from '../core/answers.ts'
import { PLACES, parseBeside, parseExtent, parsePath, parsePoint, parsePosition, parseShares, usage } from '../core/parse.ts'
import type { Cli, Verb } from '../core/verb.ts'

export const move: Verb = {
  name: 'move',
  summary: 'Move a terminal to another place; its program keeps running.',
  operands: '<id>',
  options: [
    { flags: '--to <workspace>', help: 'move it to this workspace' },
    { flags: '--beside <terminal>', help: 'move it beside this terminal' },
    { flags: '--where <place>', help: 'side of that terminal; center makes a tab (default: right)', choices: PLACES },
    { flags: '--dock <position>', help: 'position in the dock and in ls, counted from 1' },
  ],
  example: ['holdfast move api --to side', 'holdfast move api --beside web --where bottom', 'holdfast move api --dock 1'],
  run: async (cli, input) => {
    const [terminal = ''] = input.operands
    const to = input.text('to')
    const beside = parseBeside(input)
    if (!beside.ok) return beside
    const dock = input.text('dock')
    const isElsewhere = to !== undefined || beside.value !== undefined
    if (isElsewhere === (dock !== undefined))
      return usage('nowhere to move: give --to WORKSPACE, --beside TERMINAL, or --dock POSITION alone')
    if (dock !== undefined) {
      const index = parsePosition(dock)
      return index.ok ? await show(cli, cli.ask('dock.move', { terminal, index: index.value })) : index
    }
    return await show(cli, cli.ask('terminal.move', { terminal, ...given({ to, beside: beside.value }) }))
  },
}

const zoom: Verb = {
  name: 'zoom',
  summary: 'Show one terminal alone in its workspace.',
  operands: '<id>',
  example: ['holdfast layout zoom api'],
  run: (cli, input) => show(cli, cli.ask('layout.zoom', { terminal: input.operands[0] ?? '', zoomed: true })),
}

const unzoom: Verb = {
  name: 'unzoom',
  summary: 'Show all terminals of a terminal’s workspace again.',
  operands: '<id>',
  example: ['holdfast layout unzoom api'],
  run: (cli, input) => show(cli, cli.ask('layout.zoom', { terminal: input.operands[0] ?? '', zoomed: false })),
}

const balance: Verb = {
  name: 'balance',
  summary: 'Make all parts of every split the same size.',
  operands: '<workspace>',
  example: ['holdfast layout balance main'],
  run: (cli, input) => show(cli, cli.ask('layout.balance', { workspace: input.operands[0] ?? '' })),
}

const preset: Verb = {
  name: 'preset',
  summary: 'Lay out a workspace in a number of slots.',
  operands: '<workspace> <slots>',
  completes: PRESETS.map(String),
  example: ['holdfast layout preset main 4'],
  run: async (cli, input) => {
    const [workspace = '', typed = ''] = input.operands
    const slots = PRESETS.find((count) => String(count) === typed)
    if (slots === undefined) return usage(`there is no preset "${typed}"; choose one of ${PRESETS.join(', ')}`)
    return await show(cli, cli.ask('layout.preset', { workspace, slots }))
  },
}

const activate: Verb = {
  name: 'activate',
  summary: 'Bring a terminal to the front of its tabs.',
  operands: '<id>',
  example: ['holdfast layout activate api'],
  run: (cli, input) => show(cli, cli.ask('layout.activate', { terminal: input.operands[0] ?? '' })),
}

const sizes: Verb = {
  name: 'sizes',
  summary: 'Set the relative sizes of the parts of a split.',
  operands: '<workspace> <sizes...>',
  options: [{ flags: '--at <path>', help: 'path of the split, such as 2.1 (default: the outermost)' }],
  example: ['holdfast layout sizes main 70 30', 'holdfast layout sizes main 1 1 2 --at 2'],
  run: async (cli, input) => {
    const [workspace = '', ...typed] = input.operands
    const at = input.text('at')
    const path = at === undefined ? done([]) : parsePath(at)
    if (!path.ok) return path
    const shares = parseShares(typed)
    if (!shares.ok) return shares
    return await show(cli, cli.ask('layout.sizes', { workspace, path: [...path.value], sizes: shares.value }))
  },
}

export const layout: Verb = {
  name: 'layout',
  summary: 'Change the layout of a workspace.',
  example: ['holdfast layout zoom api', 'holdfast layout preset main 4'],
  verbs: [zoom, unzoom, balance, preset, activate, sizes],
}

const place: Verb = {
  name: 'place',
  summary: 'Set the position and size of a terminal on the canvas.',
  operands: '<id>',
  options: [
    { flags: '--at <x,y>', help: 'upper left corner, in pixels (default: unchanged)' },
    { flags: '--size <widthxheight>', help: 'size in pixels (default: unchanged)' },
  ],
  example: ['holdfast canvas place api --at -40,120', 'holdfast canvas place api --at 0,0 --size 720x450'],
  run: async (cli, input) => {
    const [terminal = ''] = input.operands
    const [at, size] = [input.text('at'), input.text('size')]
    if (at === undefined && size === undefined) return usage('nothing to change: give --at X,Y or --size WIDTHxHEIGHT')
    const point = at === undefined ? done({}) : parsePoint(at)
    if (!point.ok) return point
    const extent = size === undefined ? done({}) : parseExtent(size)
    if (!extent.ok) return extent
    const before = await rectOf(cli, terminal)
    if (!before.ok) return before
    const rect = { ...before.value, ...point.value, ...extent.value }
    return await show(cli, cli.ask('canvas.place', { terminal, rect }))
  },
}

async function rectOf(cli: Cli, terminal: string): Promise<Result<Rect>> {
  const [terminals, groups] = [await cli.ask('terminal.list', {}), await cli.ask('group.list', {})]
  if (!terminals.ok) return terminals
  if (!groups.ok) return groups
  const found = findTerminal(terminal, terminals.value.result)
  if (!found.ok) return found
  const workspaces = groups.value.result.flatMap(({ workspaces }) => workspaces)
  const rect = workspaces.flatMap(({ canvas }) => canvas[found.value.id] ?? [])[0]
  return rect === undefined ? refused(refusals.terminalNotFound(terminal)) : done(rect)
}

const arrange: Verb = {
  name: 'arrange',
  summary: 'Arrange a canvas: one row of terminals per repository.',
  operands: '<workspace>',
  example: ['holdfast canvas arrange main'],
  run: (cli, input) => show(cli, cli.ask('canvas.arrange', { workspace: input.operands[0] ?? '' })),
}

export const canvas: Verb = {
  name: 'canvas',
  summary: 'Place and arrange the terminals of a canvas.',
  example: ['holdfast canvas place api --at 0,0 --size 720x450', 'holdfast canvas arrange main'],
  verbs: [place, arrange],
}
