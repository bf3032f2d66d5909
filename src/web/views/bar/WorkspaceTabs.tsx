import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import type { GroupView, WorkspaceView } from '../../../wire/topologyView.ts'
import { usePage, useParts } from '../../hooks/parts.ts'
import { scrollAlong } from '../../ui/dom.ts'
import { NameField } from '../tile/NameField.tsx'
import { useTileDrag } from '../tile/tileDrag.ts'
import { followTab } from './tabDrag.ts'
import { GroupDot } from './WorkspaceMenu.tsx'
import { countsOf, countsText, freeName, type Goal, goalAt } from './workspaceTabs.ts'

/** Every workspace, in its group. */
export function WorkspaceTabs() {
  const { page } = useParts()
  const { topology, asked, workspace } = usePage(({ topology, overlay, workspace }) => ({
    topology,
    asked: overlay?.kind === 'place' && overlay.ask.kind === 'newWorkspace' ? overlay.ask : null,
    workspace,
  }))
  const strip = useRef<HTMLDivElement>(null)
  const [goal, setGoal] = useState<Goal | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is shown
  useLayoutEffect(() => {
    strip.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [workspace])
  const groups = topology?.groups ?? []
  const isNewIn = (group: GroupView) =>
    asked !== null && (asked.group === null ? group === groupShown(groups, workspace) : asked.group === group.id)
  return (
    <div className="workspaces" ref={strip} onWheel={scrollAlong}>
      {groups.map((group) => (
        <fieldset key={group.id} className="group" data-group={group.id} aria-label={`Group ${group.name}`}>
          <GroupDot group={group} isAlone={groups.length === 1} />
          {group.workspaces.map((each) => (
            <WorkspaceTab key={each.id} workspace={each} onDragged={setGoal} />
          ))}
          {isNewIn(group) && <NewWorkspace group={group.id} proposed={freeName(groups)} onDone={() => page.closeOverlay()} />}
        </fieldset>
      ))}
      {goal !== null && <span className="tabGoal" style={{ left: goal.x }} />}
    </div>
  )
}

const groupShown = (groups: readonly GroupView[], workspace: string | null): GroupView | undefined =>
  groups.find(({ workspaces }) => workspaces.some(({ id }) => id === workspace)) ?? groups[0]

type TabProps = { readonly workspace: WorkspaceView; readonly onDragged: (goal: Goal | null) => void }

function WorkspaceTab({ workspace: { id, name }, workspace, onDragged }: TabProps) {
  const { page, tiles } = useParts()
  const { counts, isShown, isRenamed } = usePage(({ terminals, overlay, workspace: shown }) => ({
    counts: countsOf(workspace, terminals ?? []),
    isShown: shown === id,
    isRenamed: overlay?.kind === 'place' && overlay.ask.kind === 'renameWorkspace' && overlay.ask.workspace === id,
  }))
  const drag = useTileDrag()
  const rename = () => page.open({ kind: 'place', ask: { kind: 'renameWorkspace', workspace: id } })
  if (isRenamed) {
    const finish = (text: string | null) => {
      page.closeOverlay()
      if (text !== null && text.trim() !== '' && text.trim() !== name)
        void page.command('workspace.rename', { workspace: id, name: text.trim() })
      tiles.focus()
    }
    return <NameField label="Name of this workspace" name={name} onDone={finish} />
  }
  const take = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0 || event.pointerType === 'touch' || !page.may('workspace.move')) return
    followTab(event, {
      onMove: (places, x) => onDragged(goalAt(places, id, x)),
      onEnd: (places, x) => {
        onDragged(null)
        const goal = x === null ? null : goalAt(places, id, x)
        if (goal !== null) void page.command('workspace.move', { workspace: id, group: goal.group, index: goal.index })
      },
    })
  }
  const said = countsText(counts)
  return (
    <button
      type="button"
      className="workspaceTab"
      data-workspace={id}
      data-drop={drag?.target?.kind === 'workspace' && drag.target.workspace === id}
      aria-pressed={isShown}
      title={said === '' ? name : `${name}: ${said}`}
      onClick={() => page.showWorkspace(id)}
      onDoubleClick={rename}
      onKeyDown={(event) => event.key === 'F2' && rename()}
      onPointerDown={take}
    >
      <span className="workspaceName">{name}</span>
      {counts.needsYou > 0 && <Count kind="needsYou" count={counts.needsYou} words={said} />}
      {counts.needsYou === 0 && counts.unread > 0 && <Count kind="unreadCount" count={counts.unread} words={said} />}
    </button>
  )
}

function Count({ kind, count, words }: { readonly kind: string; readonly count: number; readonly words: string }) {
  return (
    <span className={`count ${kind}`}>
      <span aria-hidden="true">{count}</span>
      <span className="unseen">, {words}</span>
    </span>
  )
}

function NewWorkspace({ group, proposed, onDone }: { readonly group: string; readonly proposed: string; readonly onDone: () => void }) {
  const { page, tiles } = useParts()
  const finish = async (text: string | null) => {
    onDone()
    if (text === null || text.trim() === '') return tiles.focus()
    const made = await page.command('workspace.new', { name: text.trim(), group })
    if (made !== null) page.showWorkspace(made.id)
  }
  return <NameField label="Name of the new workspace" name={proposed} onDone={(text) => void finish(text)} />
}
