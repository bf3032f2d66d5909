import type { Difference, ShownDiff, TerminalDiff, ThingDiff } from './checkpointDiff.ts'
import { isEmptyDiff } from './checkpointDiff.ts'
import { safeText } from './text.ts'

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
const UNSHOWN: Readonly<Record<string, string>> = { layout: 'arranged differently', screen: 'shows something else' }

const changeLine = ({ what, from, to }: Difference): string =>
  `    ${what}: ${from !== 'none' && to !== 'none' && Object.hasOwn(UNSHOWN, what) ? UNSHOWN[what] : `${short(from)} → ${short(to)}`}`

function short(text: string): string {
  const safe = safeText(text, MOST_TEXT + 1)
  return [...safe].length > MOST_TEXT ? `${[...safe].slice(0, MOST_TEXT).join('')}…` : safe
}
