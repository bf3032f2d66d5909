import { done, type Result, refusals, refused } from '../../../base/refusal.ts'
import type { Rect } from '../../../workspace/canvas.ts'
import { findTerminal } from '../../../workspace/find.ts'
import type { Host } from '../../host.ts'
import { parseExtent, parsePoint, usage } from '../../parse.ts'
import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const place: Verb = {
  name: 'place',
  summary: 'Say where a terminal stands on the canvas, and how large it is there.',
  operands: '<id>',
  completes: 'terminal',
  options: [
    { flags: '--at <x,y>', help: 'its upper left corner, in pixels (where it is)' },
    { flags: '--size <widthxheight>', help: 'how large it is, in pixels (as it is)' },
    JSON_OPTION,
  ],
  example: ['holdfast canvas place api --at -40,120', 'holdfast canvas place api --at 0,0 --size 720x450'],
  run: async (input, host) => {
    const [terminal = ''] = input.operands
    const [at, size] = [input.text('at'), input.text('size')]
    if (at === undefined && size === undefined) return usage('say where or how large: --at X,Y or --size WIDTHxHEIGHT')
    const point = at === undefined ? done({}) : parsePoint(at)
    if (!point.ok) return point
    const extent = size === undefined ? done({}) : parseExtent(size)
    if (!extent.ok) return extent
    const before = await rectOf(host, terminal)
    if (!before.ok) return before
    const rect = { ...before.value, ...point.value, ...extent.value }
    return await showForPrograms(input, host, host.ask('canvas.place', { terminal, rect }))
  },
}

async function rectOf(host: Host, terminal: string): Promise<Result<Rect>> {
  const [terminals, groups] = [await host.ask('terminal.list', {}), await host.ask('group.list', {})]
  if (!terminals.ok) return terminals
  if (!groups.ok) return groups
  const found = findTerminal(terminal, terminals.value.result)
  if (!found.ok) return found
  const workspaces = groups.value.result.flatMap(({ workspaces }) => workspaces)
  const rect = workspaces.flatMap(({ canvas }) => canvas[found.value.id] ?? [])[0]
  return rect === undefined ? refused(refusals.terminalNotFound(terminal)) : done(rect)
}
