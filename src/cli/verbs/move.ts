import { done } from '../../base/refusal.ts'
import { PLACES, parseBeside } from '../beside.ts'
import { EXIT } from '../exit.ts'
import { usage } from '../parse.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'move',
  summary: 'Move a terminal to another workspace, or to a place beside another terminal. Its program does not notice.',
  operands: '<id>',
  completes: 'terminal',
  options: [
    { flags: '--to <workspace>', help: 'the workspace it goes to' },
    { flags: '--beside <terminal>', help: 'the terminal it goes beside' },
    { flags: '--where <place>', help: 'at which side of that one, or "center" for a tab with it (right)', choices: PLACES },
    JSON_OPTION,
  ],
  example: ['holdfast move api --to side', 'holdfast move api --beside web --where bottom'],
  run: async (input, host) => {
    const [terminal = ''] = input.operands
    const to = input.text('to')
    const beside = parseBeside(input)
    if (!beside.ok) return beside
    if (to === undefined && beside.value === null) return usage('say where to: --to WORKSPACE or --beside TERMINAL')
    const place = { ...(to === undefined ? {} : { to }), ...(beside.value === null ? {} : { beside: beside.value }) }
    const moved = await host.ask('terminal.move', { terminal, ...place })
    if (!moved.ok) return moved
    if (input.flag('json')) host.printJson(moved.value.result)
    return done(EXIT.done)
  },
}
