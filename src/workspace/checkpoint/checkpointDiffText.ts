import type { TerminalId } from '../../base/ids.ts'
import { workspaceOf } from '../layout/topology.ts'
import { startLines, type WouldStart } from '../resume/wouldStart.ts'
import { safeText } from '../text.ts'
import { type Difference, isEmptyDiff, type ShownDiff, type TerminalDiff, type ThingDiff } from './checkpointDiff.ts'
import type { RestorePlan, RestoreStep } from './planRestore.ts'

/** A difference as lines for people; `+` came, `-` went, `~` is another than it was. */
export function diffLines(diff: ShownDiff): readonly string[] {
  if (isEmptyDiff(diff)) return ['No difference.']
  return [
    ...diff.groups.flatMap((group) => thingLines('group', group)),
    ...diff.workspaces.flatMap((workspace) => thingLines('workspace', workspace)),
    ...diff.terminals.flatMap(terminalLines),
  ]
}

const MOST_TEXT = 60 // characters of a value: enough to recognise it in one line

function thingLines(what: string, thing: ThingDiff<string>): readonly string[] {
  const title = `${what} ${thing.id} (${short(thing.name)})`
  switch (thing.kind) {
    case 'appeared':
      return [`+ ${title}`]
    case 'went':
      return [`- ${title}`]
    case 'differs':
      return [`~ ${title}`, ...thing.changes.map(changeLine)]
  }
}

function terminalLines(terminal: TerminalDiff<string>): readonly string[] {
  const title = `terminal ${terminal.id} (${short(terminal.name)})`
  switch (terminal.kind) {
    case 'appeared':
      return [`+ ${title}${terminal.workspace === null ? '' : ` in ${short(terminal.workspace)}`}`]
    case 'went':
      return [`- ${title}${terminal.workspace === null ? '' : ` from ${short(terminal.workspace)}`}`]
    case 'differs':
      return [`~ ${title}`, ...terminal.moves.map(changeLine), ...terminal.changes.map(changeLine)]
  }
}

/** A layout is a tree, and a screen a picture, that no line can show; that it changed is what can be told. */
const UNSHOWN: Readonly<Record<string, string>> = { layout: 'layout changed', screen: 'new output' }

const changeLine = ({ what, from, to }: Difference): string =>
  `    ${what}: ${from !== 'none' && to !== 'none' && Object.hasOwn(UNSHOWN, what) ? UNSHOWN[what] : `${short(from)} → ${short(to)}`}`

function short(text: string): string {
  const safe = safeText(text, MOST_TEXT + 1)
  return [...safe].length > MOST_TEXT ? `${[...safe].slice(0, MOST_TEXT).join('')}…` : safe
}

/** A plan as lines for people: first what it would do, then what it would not. */
export function planLines(plan: RestorePlan, starts: ReadonlyMap<TerminalId, WouldStart> = new Map()): readonly string[] {
  const { checkpoint, only, steps, wakes, notWoken, host, missingPaths } = plan
  const title = `checkpoint ${checkpoint.id}, ${checkpoint.kind}, ${new Date(checkpoint.at).toISOString()}`
  const asleepOnes = new Set(wakes.map(({ id }) => id))
  return [
    `Restore ${only === null ? title : `workspace ${only} of ${title}`}${checkpoint.note === null ? '' : `: ${safeText(checkpoint.note, 80)}`}`,
    ...(host.isSame ? [] : [`The checkpoint is from another machine; this one is ${safeText(host.id.name, 80)}.`]),
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
