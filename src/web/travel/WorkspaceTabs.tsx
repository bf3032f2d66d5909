import type { KeyboardEvent } from 'react'
import type { TopologyView, WorkspaceView } from '../../wire/topologyView.ts'
import { terminalsOfWorkspace } from '../state/standing.ts'
import type { Since } from './sinceThen.ts'

type Props = {
  readonly topology: TopologyView
  readonly since: Since | null
  readonly chosen: string | null
  readonly onChoose: (workspace: string) => void
}

/** The workspaces of then. One of which something is different now says so. */
export function WorkspaceTabs({ topology, since, chosen, onChoose }: Props) {
  const all = topology.groups.flatMap((group) => group.workspaces.map((workspace) => ({ group, workspace })))
  if (all.length < 2) return null
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = all.at((all.findIndex(({ workspace }) => workspace.id === chosen) + by) % all.length)
    if (by === 0 || next === undefined) return
    onChoose(next.workspace.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-workspace="${next.workspace.id}"]`)?.focus()
  }
  return (
    <div className="thenTabs" role="tablist" aria-label="Workspaces at that time" onKeyDown={step}>
      {all.map(({ group, workspace }) => {
        const { id, name } = workspace
        const isChosen = id === chosen
        return (
          <button
            type="button"
            role="tab"
            key={id}
            data-workspace={id}
            aria-selected={isChosen}
            tabIndex={isChosen ? 0 : -1}
            title={topology.groups.length > 1 ? `${name}, in ${group.name}` : name}
            onClick={() => onChoose(id)}
          >
            <span className="dot" data-color={group.color} />
            {name}
            {isDifferent(workspace, since) && <small className="thenDiffers">differs</small>}
          </button>
        )
      })}
    </div>
  )
}

const isDifferent = (workspace: WorkspaceView, since: Since | null): boolean =>
  since !== null && terminalsOfWorkspace(workspace).some((id) => since.marks.has(id))
