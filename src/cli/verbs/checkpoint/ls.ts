import { done } from '../../../base/refusal.ts'
import type { CheckpointSummaryView } from '../../../wire/checkpointView.ts'
import { type Palette, paletteFor } from '../../colour.ts'
import { EXIT } from '../../exit.ts'
import { ageText } from '../../format.ts'
import { type Column, tableText } from '../../table.ts'
import type { Verb } from '../../verb.ts'
import { AS_JSON, asksForJson } from './asJson.ts'
import { goodText, sizeText } from './words.ts'

const NOTHING_YET = `No checkpoints yet. They come by themselves; take one now:
  holdfast checkpoint create --note "before the upgrade"`

export const ls: Verb = {
  name: 'ls',
  summary: 'List all checkpoints, newest first.',
  options: AS_JSON,
  example: ['holdfast checkpoint ls', "holdfast checkpoint ls --json | jq -r '.[0].id'"],
  run: async (input, host) => {
    const listed = await host.ask('checkpoint.list', {})
    if (!listed.ok) return listed
    const checkpoints = listed.value.result
    const columns = columnsOf(paletteFor(host.stdout, host.env), Date.now())
    if (asksForJson(input)) host.printJson(checkpoints)
    else host.print(checkpoints.length === 0 ? NOTHING_YET : await tableText(checkpoints, columns, host))
    return done(EXIT.done)
  },
}

function columnsOf(palette: Palette, now: number): readonly Column<CheckpointSummaryView>[] {
  return [
    { title: 'ID', text: ({ id }) => id, paint: () => palette.bold },
    { title: 'AGE', text: ({ at }) => ageText(now - at), paint: () => palette.dim },
    { title: 'KIND', text: ({ kind }) => kind },
    { title: 'TERMINALS', text: ({ terminalCount }) => String(terminalCount) },
    { title: 'SIZE', text: ({ bytes }) => sizeText(bytes) },
    { title: 'STATE', text: goodText, paint: ({ knownGood }) => (knownGood ? palette.good : palette.warn) },
    { title: 'NOTE', text: ({ note }) => note ?? '', shrinks: true },
  ]
}
