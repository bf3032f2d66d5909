/** What the tabs of workspaces say, and where one that is dragged would go. Pure. */
import type { GroupView, WorkspaceView } from '../../../wire/topologyView.ts'
import { agentOf, type TerminalView } from '../../../wire/view.ts'
import { terminalsOf } from '../../../workspace/layout/layout.ts'

export type Counts = { readonly needsYou: number; readonly unread: number }

/** A terminal that needs the user is not also counted as unread. */
export function countsOf({ layout }: WorkspaceView, terminals: readonly TerminalView[]): Counts {
  const inside = new Set<string>(terminalsOf(layout))
  const own = terminals.filter(({ id }) => inside.has(id))
  const needing = own.filter((terminal) => agentOf(terminal)?.state === 'needs-you')
  return { needsYou: needing.length, unread: own.filter((each) => each.unread && !needing.includes(each)).length }
}

export function countsText({ needsYou, unread }: Counts): string {
  return [...(needsYou > 0 ? [`${needsYou} need${needsYou === 1 ? 's' : ''} you`] : []), ...(unread > 0 ? [`${unread} unread`] : [])].join(
    ', ',
  )
}

/** A name that no workspace has yet. */
export function freeName(groups: readonly GroupView[]): string {
  const taken = new Set(groups.flatMap(({ workspaces }) => workspaces.map(({ name }) => name)))
  let number = taken.size + 1
  while (taken.has(`workspace ${number}`)) number += 1
  return `workspace ${number}`
}

export type TabPlace = { readonly workspace: string; readonly group: string; readonly left: number; readonly width: number }
export type Goal = { readonly group: string; readonly index: number; readonly x: number }

/** Beside the tab under the pointer, on the side of its middle where the pointer is. Null where nothing would change. */
export function goalAt(places: readonly TabPlace[], dragged: string, x: number): Goal | null {
  const at = places.findLast(({ left }) => left <= x) ?? places[0]
  if (at === undefined) return null
  const inGroup = places.filter(({ group }) => group === at.group)
  const isAfter = x > at.left + at.width / 2
  const own = places.find(({ workspace }) => workspace === dragged)
  const slot = inGroup.indexOf(at) + (isAfter ? 1 : 0)
  const from = own?.group === at.group ? inGroup.indexOf(own) : -1
  const index = from >= 0 && slot > from ? slot - 1 : slot
  if (index === from) return null
  return { group: at.group, index, x: isAfter ? at.left + at.width : at.left }
}
