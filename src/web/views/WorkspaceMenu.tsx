import type { GroupView } from '../../wire/topologyView.ts'
import { COLORS } from '../../workspace/groups.ts'
import type { PlaceAsk } from '../overlay.ts'
import { usePageState, useParts } from '../parts.ts'
import { workspacesOf } from '../standing.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { keysFor } from './keysFor.ts'
import { moveWorkspace } from './verbs.ts'

/** What can be done with the workspace that is shown. */
export function WorkspaceMenu() {
  const parts = useParts()
  const { page } = parts
  const { topology, workspace, settings } = usePageState()
  const ask = (what: PlaceAsk) => page.open({ kind: 'place', ask: what })
  if (workspace === null || topology === null) return null
  const group = topology.groups.find(({ workspaces }) => workspaces.some(({ id }) => id === workspace))
  const index = group?.workspaces.findIndex(({ id }) => id === workspace) ?? 0
  const isLast = workspacesOf(topology).length === 1
  const others = topology.groups.filter((each) => each !== group)
  const items: readonly MenuItem[] = [
    { label: 'Rename workspace…', onChoose: () => ask({ kind: 'renameWorkspace', workspace }) },
    { label: 'Move left', isDisabled: index <= 0, onChoose: () => moveWorkspace(parts, -1) },
    { label: 'Move right', isDisabled: index + 1 >= (group?.workspaces.length ?? 0), onChoose: () => moveWorkspace(parts, 1) },
    {
      label: 'Move to group',
      isDisabled: others.length === 0,
      items: others.map(({ id, name, workspaces }) => ({
        label: name,
        onChoose: () => void page.command('workspace.move', { workspace, group: id, index: workspaces.length }),
      })),
    },
    'separator',
    { label: 'New group…', onChoose: () => ask({ kind: 'newGroup' }) },
    'separator',
    {
      label: 'Time travel…',
      keys: keysFor('checkpoint.travel', settings),
      onChoose: () => page.open({ kind: 'travel', checkpoint: null }),
    },
    'separator',
    { label: 'Close workspace…', isDanger: true, isDisabled: isLast, onChoose: () => ask({ kind: 'closeWorkspace', workspace }) },
    { label: 'Start over…', isDanger: true, onChoose: () => page.open({ kind: 'startOver' }) },
  ]
  return <Menu label="This workspace" items={items} trigger={<IconButton icon="more" label="This workspace" />} />
}

/** The colour of a group, and what can be done with it. */
export function GroupDot({ group, isAlone }: { readonly group: GroupView; readonly isAlone: boolean }) {
  const { page } = useParts()
  const { id, name, color, workspaces } = group
  const items: readonly MenuItem[] = [
    { label: 'Rename group…', onChoose: () => page.open({ kind: 'place', ask: { kind: 'renameGroup', group: id } }) },
    {
      label: 'Colour',
      items: COLORS.map((each) => ({
        label: each,
        isChecked: each === color,
        onChoose: () => void page.command('group.color', { group: id, color: each }),
      })),
    },
    { label: 'New workspace in it…', onChoose: () => page.open({ kind: 'place', ask: { kind: 'newWorkspace', group: id } }) },
    'separator',
    { label: 'New group…', onChoose: () => page.open({ kind: 'place', ask: { kind: 'newGroup' } }) },
    {
      label: 'Close group',
      isDanger: true,
      isDisabled: isAlone || workspaces.length > 0,
      ...(workspaces.length > 0 && !isAlone ? { hint: 'has workspaces' } : {}),
      onChoose: () => void page.command('group.close', { group: id }),
    },
  ]
  return (
    <Menu
      label={`Group ${name}`}
      items={items}
      trigger={
        <button type="button" className="groupDot" aria-label={`Group ${name}`} title={`Group ${name}`}>
          <span className="dot" data-color={color} />
          {!isAlone && <span className="groupName">{name}</span>}
        </button>
      }
    />
  )
}
