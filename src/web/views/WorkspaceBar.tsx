import { usePageState, useParts } from '../parts.ts'
import { workspacesOf } from '../standing.ts'

/** Which workspace is shown, and what can be done with it. */
export function WorkspaceBar() {
  const { page, tiles } = useParts()
  const { topology, workspace } = usePageState()
  return (
    <header className="bar">
      <span className="workspaces">
        {workspacesOf(topology).map(({ id, name }) => (
          <button type="button" key={id} aria-pressed={id === workspace} onClick={() => page.showWorkspace(id)}>
            {name}
          </button>
        ))}
      </span>
      <button
        type="button"
        className="primary"
        onClick={() => void page.create({ size: tiles.focused?.measure() ?? null }).then(() => tiles.focus())}
      >
        New terminal
      </button>
    </header>
  )
}
