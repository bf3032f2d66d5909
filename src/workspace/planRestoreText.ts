import type { TerminalId } from '../base/ids.ts'
import type { RestorePlan, RestoreStep } from './planRestore.ts'
import { safeText } from './text.ts'
import { workspaceOf } from './topology.ts'
import { startLines, type WouldStart } from './wouldStart.ts'

/** A plan as lines for people: first what it would do, then what it would not. */
export function planLines(plan: RestorePlan, starts: ReadonlyMap<TerminalId, WouldStart> = new Map()): readonly string[] {
  const { checkpoint, only, steps, wakes, notWoken, host, missingPaths } = plan
  const title = `checkpoint ${checkpoint.id}, ${checkpoint.kind}, ${new Date(checkpoint.at).toISOString()}`
  const asleepOnes = new Set(wakes.map(({ id }) => id))
  return [
    `Restore ${only === null ? title : `workspace ${only} of ${title}`}${checkpoint.note === null ? '' : `: ${safeText(checkpoint.note, 80)}`}`,
    ...(host.isSame ? [] : [`It was taken on another machine; this one is ${safeText(host.id.name, 80)}.`]),
    ...steps.flatMap((step) => [stepLine(step, plan), ...startOf(starts.get(step.id))]),
    ...(starts.size === 0 ? [] : ['Nothing is started. The first wake of each shows its command again and asks.']),
    ...wakes.map(({ id, mode, afterMs, why }) => `wake        ${id}  ${mode}, after ${afterMs} ms: ${why}`),
    ...notWoken.filter(({ id }) => !asleepOnes.has(id)).map(({ id, why }) => `not woken   ${id}  ${why}`),
    ...missingPaths.map(({ path, terminals }) => `missing     ${safeText(path, 200)}  for ${terminals.join(', ')}`),
  ]
}

/** In full: the user is to judge it. */
const startOf = (start: WouldStart | undefined): readonly string[] =>
  start === undefined ? [] : startLines(start).map((line) => `              ${line}`)

const VERBS: Readonly<Record<RestoreStep['kind'], string>> = {
  adopt: 'keep alive ',
  keepStranger: 'keep too   ',
  lost: 'asleep     ',
  rest: 'asleep     ',
  bringBack: 'bring back ',
  forget: 'forget     ',
}

function stepLine(step: RestoreStep, { topology }: RestorePlan): string {
  const name = 'terminal' in step ? ` (${safeText(step.terminal.name ?? step.terminal.spec.command, 40)})` : ''
  const workspace = workspaceOf(topology, step.id)
  return `${VERBS[step.kind]} ${step.id}${name}${workspace === null ? '' : ` in ${safeText(workspace.name, 40)}`}: ${step.why}`
}
