import type { Result } from '../../base/refusal.ts'
import { PLACES, parseBeside } from '../beside.ts'
import type { ExitCode } from '../exit.ts'
import type { Host } from '../host.ts'
import { parsePosition, usage } from '../parse.ts'
import { showForPrograms } from '../shown.ts'
import { type Input, JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'move',
  summary: 'Move a terminal to another workspace, beside another terminal, or in the dock. Its program does not notice.',
  operands: '<id>',
  completes: 'terminal',
  options: [
    { flags: '--to <workspace>', help: 'the workspace it goes to' },
    { flags: '--beside <terminal>', help: 'the terminal it goes beside' },
    { flags: '--where <place>', help: 'at which side of that one, or "center" for a tab with it (right)', choices: PLACES },
    { flags: '--dock <position>', help: 'its place in the dock and in ls, from 1 on; beyond the end is the end' },
    JSON_OPTION,
  ],
  example: ['holdfast move api --to side', 'holdfast move api --beside web --where bottom', 'holdfast move api --dock 1'],
  run: async (input, host) => {
    const [terminal = ''] = input.operands
    const to = input.text('to')
    const beside = parseBeside(input)
    if (!beside.ok) return beside
    const dock = input.text('dock')
    const isElsewhere = to !== undefined || beside.value !== null
    if (isElsewhere === (dock !== undefined)) return usage('say where to: --to WORKSPACE, --beside TERMINAL, or --dock POSITION alone')
    if (dock !== undefined) return await moveInDock(input, host, dock)
    const place = { ...(to === undefined ? {} : { to }), ...(beside.value === null ? {} : { beside: beside.value }) }
    return await showForPrograms(input, host, host.ask('terminal.move', { terminal, ...place }))
  },
}

async function moveInDock(input: Input, host: Host, typed: string): Promise<Result<ExitCode>> {
  const [terminal = ''] = input.operands
  const index = parsePosition(typed)
  return index.ok ? await showForPrograms(input, host, host.ask('dock.move', { terminal, index: index.value })) : index
}
