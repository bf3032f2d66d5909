/** The strip above the terminals: workspaces, view, layout, and a new terminal. workspaceTabs.ts is pure; tabDrag.ts follows a drag. */
import { VIEWS } from '../../../workspace/layout/topology.ts'
import { keysTextFor } from '../../actions/actions.ts'
import { useMay, usePage, useParts, useWorkspace } from '../../hooks/parts.ts'
import { showAs } from '../../layout/verbs.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ViewOnlyChip } from '../../viewOnly/ViewOnly.tsx'
import { LayoutMenu } from './LayoutMenu.tsx'
import { WorkspaceMenu } from './WorkspaceMenu.tsx'
import { WorkspaceTabs } from './WorkspaceTabs.tsx'
import './bar.css'

/** Which workspace is shown and how, and what can be done with it. */
export function WorkspaceBar() {
  const { page } = useParts()
  const settings = usePage(({ settings }) => settings)
  const may = useMay()
  const keys = (action: string) => keysTextFor(action, settings)
  return (
    <header className="bar">
      <WorkspaceTabs />
      {may('workspace.new') && (
        <IconButton
          icon="plus"
          label="New workspace"
          onClick={() => page.open({ kind: 'place', ask: { kind: 'newWorkspace', group: null } })}
        />
      )}
      <WorkspaceMenu />
      <span className="barEnd">
        <ViewOnlyChip />
        {may('workspace.view') && <ViewSwitch />}
        {may('layout.preset') && <LayoutMenu />}
        <button
          type="button"
          className="find"
          title="Find a terminal or a command"
          onClick={() => page.open({ kind: 'palette', text: '' })}
        >
          <Icon name="search" />
          <span className="unseen">Find a terminal or a command</span>
          <kbd>{keys('palette')}</kbd>
        </button>
        {page.mayOpen({ kind: 'settings' }) && (
          <IconButton icon="settings" label="Settings" keys={keys('page.settings')} onClick={() => page.open({ kind: 'settings' })} />
        )}
        {may('terminal.new') && <NewTerminal />}
      </span>
    </header>
  )
}

function NewTerminal() {
  const { page, tiles } = useParts()
  const settings = usePage(({ settings }) => settings)
  return (
    <span className="newTerminal">
      <button
        type="button"
        className="primary"
        title={`New terminal in this workspace (${keysTextFor('terminal.new', settings) ?? 'no keys'})`}
        onClick={() => void page.create({ size: tiles.focused?.measure() ?? null }).then(() => tiles.focus())}
      >
        <Icon name="plus" />
        <span>New terminal</span>
      </button>
      <button
        type="button"
        className="primary"
        aria-label="Choose folder, program and place…"
        title="Choose folder, program and place…"
        onClick={() => page.open({ kind: 'newTerminal', place: null })}
      >
        <Icon name="down" />
      </button>
    </span>
  )
}

const VIEW_NAMES = { split: 'Split', canvas: 'Canvas' } as const

function ViewSwitch() {
  const parts = useParts()
  const shown = useWorkspace()?.view
  return (
    <fieldset className="viewSwitch" aria-label="View">
      {VIEWS.map((view) => (
        <button
          type="button"
          key={view}
          aria-label={VIEW_NAMES[view]}
          aria-pressed={shown === view}
          onClick={() => void showAs(parts, view)}
        >
          <Icon name={view} />
          <span>{VIEW_NAMES[view]}</span>
        </button>
      ))}
    </fieldset>
  )
}
