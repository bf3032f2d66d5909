/** What can be done with the group of workspaces that is shown. */
import type { Action } from '../actions.ts'
import type { Parts } from '../parts.ts'

const groupAt = ({ page }: Parts): number =>
  page.state.topology?.groups.findIndex(({ workspaces }) => workspaces.some(({ id }) => id === page.state.workspace)) ?? -1

const move = (by: 1 | -1, row: Pick<Action, 'id' | 'title'>): Action => ({
  ...row,
  group: 'Workspace',
  keys: null,
  asks: 'group.move',
  isPossible: (parts) => parts.page.state.topology?.groups[groupAt(parts) + by] !== undefined && groupAt(parts) !== -1,
  run: (parts) => {
    const at = groupAt(parts)
    const group = parts.page.state.topology?.groups[at]
    if (group !== undefined) void parts.page.command('group.move', { group: group.id, index: at + by })
  },
})

export const GROUP_ACTIONS: readonly Action[] = [
  move(-1, { id: 'group.before', title: 'Move the group of workspaces to the left' }),
  move(1, { id: 'group.after', title: 'Move the group of workspaces to the right' }),
]
