import type { GroupView } from '../../../wire/topologyView.ts'
import { COLORS } from '../../../workspace/layout/groups.ts'
import { keysFor } from '../../actions/actions.ts'
import { useMay, usePage, useParts } from '../../hooks/parts.ts'
import { moveWorkspace } from '../../layout/verbs.ts'
import type { PlaceAsk } from '../../state/overlay.ts'
import { workspacesOf } from '../../state/standing.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { offered } from '../../ui/offered.ts'

/** What can be done with the workspace that is shown. */
export function WorkspaceMenu() {
  const parts = useParts()
  const { page } = parts
  const may = useMay()
  const { topology, workspace, settings } = usePage(({ topology, workspace, settings }) => ({ topology, workspace, settings }))
  const ask = (what: PlaceAsk) => page.open({ kind: 'place', ask: what })
  if (workspace === null || topology === null) return null
  const group = topology.groups.find(({ workspaces }) => workspaces.some(({ id }) => id === workspace))
  const index = group?.workspaces.findIndex(({ id }) => id === workspace) ?? 0
  const isLast = workspacesOf(topology).length === 1
  const others = topology.groups.filter((each) => each !== group)
  const items: readonly MenuItem[] = [
    { label: 'Rename workspace…', asks: 'workspace.rename', onChoose: () => ask({ kind: 'renameWorkspace', workspace }) },
    { label: 'Move left', asks: 'workspace.move', isDisabled: index <= 0, onChoose: () => moveWorkspace(parts, -1) },
    {
      label: 'Move right',
      asks: 'workspace.move',
      isDisabled: index + 1 >= (group?.workspaces.length ?? 0),
      onChoose: () => moveWorkspace(parts, 1),
    },
    {
      label: 'Move to group',
      asks: 'workspace.move',
      isDisabled: others.length === 0,
      items: others.map(({ id, name, workspaces }) => ({
        label: name,
        asks: 'workspace.move',
        onChoose: () => void page.command('workspace.move', { workspace, group: id, index: workspaces.length }),
      })),
    },
    'separator',
    { label: 'New group…', asks: 'group.new', onChoose: () => ask({ kind: 'newGroup' }) },
    'separator',
    {
      label: 'Time travel…',
      asks: 'checkpoint.list',
      keys: keysFor('checkpoint.travel', settings),
      onChoose: () => page.open({ kind: 'travel', checkpoint: null }),
    },
    'separator',
    {
      label: 'Close workspace…',
      asks: 'workspace.close',
      isDanger: true,
      isDisabled: isLast,
      onChoose: () => ask({ kind: 'closeWorkspace', workspace }),
    },
    { label: 'Start over…', asks: 'workspace.startOver', isDanger: true, onChoose: () => page.open({ kind: 'startOver' }) },
  ]
  const choices = offered(items, may)
  if (choices.length === 0) return null
  return <Menu label="This workspace" items={choices} trigger={<IconButton icon="more" label="This workspace" />} />
}

/** The colour of a group, and what can be done with it. */
export function GroupDot({ group, isAlone }: { readonly group: GroupView; readonly isAlone: boolean }) {
  const { page } = useParts()
  const { id, name, color, workspaces } = group
  const items: readonly MenuItem[] = [
    { label: 'Rename group…', asks: 'group.rename', onChoose: () => page.open({ kind: 'place', ask: { kind: 'renameGroup', group: id } }) },
    {
      label: 'Color',
      asks: 'group.color',
      items: COLORS.map((each) => ({
        label: each,
        asks: 'group.color',
        isChecked: each === color,
        onChoose: () => void page.command('group.color', { group: id, color: each }),
      })),
    },
    {
      label: 'New workspace…',
      asks: 'workspace.new',
      onChoose: () => page.open({ kind: 'place', ask: { kind: 'newWorkspace', group: id } }),
    },
    'separator',
    { label: 'New group…', asks: 'group.new', onChoose: () => page.open({ kind: 'place', ask: { kind: 'newGroup' } }) },
    {
      label: 'Close group',
      asks: 'group.close',
      isDanger: true,
      isDisabled: isAlone || workspaces.length > 0,
      ...(workspaces.length > 0 && !isAlone ? { hint: 'has workspaces' } : {}),
      onChoose: () => void page.command('group.close', { group: id }),
    },
  ]
  const choices = offered(items, useMay())
  const dot = <span className="dot" data-color={color} />
  if (choices.length === 0)
    return (
      <span className="groupDot" title={`Group ${name}`}>
        {dot}
        {!isAlone && <span className="groupName">{name}</span>}
      </span>
    )
  return (
    <Menu
      label={`Group ${name}`}
      items={choices}
      trigger={
        <button type="button" className="groupDot" aria-label={`Group ${name}`} title={`Group ${name}`}>
          {dot}
          {!isAlone && <span className="groupName">{name}</span>}
        </button>
      }
    />
  )
}
