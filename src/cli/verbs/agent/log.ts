import { done } from '../../../base/refusal.ts'
import type { AgentLogEntry } from '../../../wire/agentView.ts'
import { type Palette, paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import { ageText } from '../../format.ts'
import { type Column, tableText } from '../../table.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

const NOTHING_YET = 'No agent has been seen in this terminal.'

export const log: Verb = {
  name: 'log',
  summary: 'Which agents and conversations a terminal had, newest first, and why each one was taken or not.',
  operands: '<id>',
  completes: 'terminal',
  options: [JSON_OPTION],
  example: ['holdfast agent log api', "holdfast agent log api --json | jq -r '.[0].id'"],
  run: async (input, host) => {
    const [terminal = ''] = input.operands
    const asked = await host.ask('agent.log', { terminal })
    if (!asked.ok) return asked
    const entries = asked.value.result
    const columns = columnsOf(paletteFor(host.stdout, host.env), Date.now())
    if (input.flag('json')) host.printJson(entries)
    else host.print(entries.length === 0 ? NOTHING_YET : await tableText(entries, columns, host))
    return done(EXIT.done)
  },
}

function columnsOf(palette: Palette, now: number): readonly Column<AgentLogEntry>[] {
  return [
    { title: 'AGE', text: ({ at }) => ageText(now - at), paint: () => palette.dim },
    {
      title: 'EVENT',
      text: ({ event }) => event,
      paint: ({ event }) => (event === 'reject' || event === 'mismatch' ? palette.warn : palette.bold),
    },
    { title: 'AGENT', text: ({ agent }) => agent },
    { title: 'CONVERSATION', text: ({ id }) => id ?? '' },
    { title: 'FROM', text: ({ provenance }) => provenance ?? '' },
    { title: 'WHY', text: ({ why }) => why, shrinks: true },
  ]
}
