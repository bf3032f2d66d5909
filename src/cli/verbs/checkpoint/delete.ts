import { done, refused } from '../../../base/refusal.ts'
import type { CheckpointSummaryView } from '../../../wire/checkpointView.ts'
import { findCheckpoint } from '../../../workspace/findCheckpoint.ts'
import { confirm } from '../../confirm.ts'
import { forEach } from '../../each.ts'
import { EXIT } from '../../exit.ts'
import { ageText } from '../../format.ts'
import { refusalText } from '../../refusalText.ts'
import type { Verb } from '../../verb.ts'
import { ADDRESSES, AS_JSON, asksForJson } from './asJson.ts'

export const deleteVerb: Verb = {
  name: 'delete',
  summary: 'Delete checkpoints. The newest good one only if forced.',
  operands: '<checkpoint...>',
  completes: ['latest'],
  options: [{ flags: '-y, --yes', help: 'do not ask' }, { flags: '--force', help: 'also the newest good one' }, ...AS_JSON],
  example: ['holdfast checkpoint delete c8f', 'holdfast checkpoint delete --yes latest~3 latest~4'],
  details: ADDRESSES,
  run: async (input, host) => {
    const listed = await host.ask('checkpoint.list', {})
    if (!listed.ok) return listed
    // All are found before the first goes: latest~4 means another one after that.
    const found = input.operands.map((ref) => findCheckpoint(ref, listed.value.result))
    const missing = found.flatMap((one) => (one.ok ? [] : [one.refusal]))
    const last = missing.pop()
    for (const refusal of missing) host.complain(refusalText(refusal))
    if (last !== undefined) return refused(last)
    const chosen = new Map(found.flatMap((one) => (one.ok ? [[one.value.id, one.value] as const] : [])))
    const asks = !input.flag('yes') && host.stdin.isTTY === true
    if (asks && !(await confirm(question([...chosen.values()], Date.now()), host))) return done(EXIT.refused)
    const deleted: string[] = []
    const outcome = await forEach([...chosen.keys()], host, async (checkpoint) => {
      const answer = await host.ask('checkpoint.delete', { checkpoint, force: input.flag('force') })
      if (answer.ok) deleted.push(answer.value.result.id)
      return answer
    })
    if (asksForJson(input)) host.printJson(deleted)
    return outcome
  },
}

function question(chosen: readonly CheckpointSummaryView[], now: number): string {
  const lines = chosen.map(({ id, kind, at, terminalCount }) => `  ${id}: ${kind}, ${ageText(now - at)} old, ${terminalCount} terminals`)
  return `These cannot be brought back:\n${lines.join('\n')}\nDelete ${chosen.length === 1 ? 'it' : 'them'}?`
}
