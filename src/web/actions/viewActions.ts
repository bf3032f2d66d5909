/** What can be done in the two views, as rows of the page's table of actions. */
import type { Direction, Edge } from '../../workspace/layout/layout.ts'
import { PRESETS } from '../../workspace/layout/presets.ts'
import type { Parts } from '../hooks/parts.ts'
import { openCanvas } from '../layout/openCanvas.ts'
import {
  arrangeIn,
  focusToward,
  isTab,
  moveToward,
  moveWorkspace,
  resize,
  showAs,
  splitBeside,
  stepTab,
  toggleZoom,
} from '../layout/verbs.ts'
import type { PlaceAsk } from '../state/overlay.ts'
import type { PageState } from '../state/page.ts'
import { workspaceOf, workspacesOf } from '../state/standing.ts'
import { nameOf } from '../state/words.ts'
import type { Action } from './action.ts'

const hasFocused = ({ page }: Parts): boolean => page.focused !== null
const hasTerminals = ({ page }: Parts): boolean => page.workspace?.layout.root != null
const isCanvas = ({ page }: Parts): boolean => page.workspace?.view === 'canvas' && openCanvas() !== null
const hasWorkspace = ({ page }: Parts): boolean => page.workspace !== null
const hasOthers = ({ page }: Parts): boolean => workspacesOf(page.state.topology).length > 1

const EDGES = [
  { edge: 'left', name: 'left', words: 'to the left', arrow: 'ArrowLeft' },
  { edge: 'right', name: 'right', words: 'to the right', arrow: 'ArrowRight' },
  { edge: 'top', name: 'up', words: 'above', arrow: 'ArrowUp' },
  { edge: 'bottom', name: 'down', words: 'below', arrow: 'ArrowDown' },
] as const satisfies readonly { readonly edge: Edge; readonly name: string; readonly words: string; readonly arrow: string }[]

const SIZES = [
  { id: 'wider', title: 'Make terminal wider', direction: 'row', by: 1 },
  { id: 'narrower', title: 'Make terminal narrower', direction: 'row', by: -1 },
  { id: 'taller', title: 'Make terminal taller', direction: 'column', by: 1 },
  { id: 'shorter', title: 'Make terminal shorter', direction: 'column', by: -1 },
] as const satisfies readonly { readonly id: string; readonly title: string; readonly direction: Direction; readonly by: 1 | -1 }[]

const ask = (page: Parts['page'], what: PlaceAsk): void => page.open({ kind: 'place', ask: what })

function onFocused(run: (parts: Parts, terminal: string) => unknown): Pick<Action, 'isPossible' | 'run'> {
  return {
    isPossible: hasFocused,
    run: (parts) => {
      if (parts.page.focused !== null) void run(parts, parts.page.focused.id)
    },
  }
}

function onWorkspace(run: (parts: Parts, workspace: string) => unknown): Pick<Action, 'isPossible' | 'run'> {
  return {
    isPossible: hasWorkspace,
    run: (parts) => {
      if (parts.page.workspace !== null) void run(parts, parts.page.workspace.id)
    },
  }
}

function zoomTitle({ terminals, topology, focused }: Pick<PageState, 'terminals' | 'topology' | 'focused'>): string | null {
  const terminal = terminals?.find(({ id }) => id === focused)
  if (terminal === undefined) return null
  return workspaceOf(topology, terminal.id)?.layout.zoomed === terminal.id ? 'Show all terminals' : `Zoom “${nameOf(terminal)}”`
}

type Row = Pick<Action, 'id' | 'title' | 'run'> & Partial<Action>

/** Rows that have a group, and perhaps more, in common. */
const rows = (common: Pick<Action, 'group'> & Partial<Action>, all: readonly Row[]): readonly Action[] =>
  all.map((row) => ({ keys: null, asks: null, ...common, ...row }))

const TERMINAL_ACTIONS: readonly Action[] = [
  ...rows({ group: 'Terminal', asks: 'terminal.new' }, [
    { id: 'split.right', title: 'Split right', keys: 'Ctrl+Shift+E', ...onFocused((parts, id) => splitBeside(parts, id, 'right')) },
    { id: 'split.down', title: 'Split down', keys: 'Ctrl+Shift+O', ...onFocused((parts, id) => splitBeside(parts, id, 'bottom')) },
  ]),
  ...rows({ group: 'Terminal', titleNow: zoomTitle }, [
    { id: 'terminal.zoom', title: 'Zoom terminal, or show all', keys: 'Ctrl+Shift+X', ...onFocused(toggleZoom) },
  ]),
  ...rows(
    { group: 'Terminal', isPossible: hasTerminals },
    EDGES.map(({ edge, name, words, arrow }) => ({
      id: `focus.${name}`,
      title: `Go to terminal ${words}`,
      keys: `Alt+Shift+${arrow}`,
      run: (parts) => focusToward(parts, edge),
    })),
  ),
  ...rows(
    { group: 'Layout', asks: 'terminal.move', isPossible: hasFocused },
    EDGES.map(({ edge, name, arrow }) => ({
      id: `move.${name}`,
      title: `Move terminal ${name}`,
      keys: `Ctrl+Alt+Shift+${arrow}`,
      run: (parts) => moveToward(parts, edge),
    })),
  ),
  ...rows(
    { group: 'Layout', asks: 'layout.sizes', isPossible: hasFocused },
    SIZES.map(({ id, title, ...change }) => ({ id: `size.${id}`, title, run: (parts) => resize(parts, change) })),
  ),
  ...rows({ group: 'Layout', isPossible: isTab }, [
    { id: 'tab.next', title: 'Next tab', keys: 'Ctrl+Shift+PageDown', run: (parts) => stepTab(parts, 1) },
    { id: 'tab.previous', title: 'Previous tab', keys: 'Ctrl+Shift+PageUp', run: (parts) => stepTab(parts, -1) },
  ]),
]

const LAYOUT_ACTIONS: readonly Action[] = [
  ...rows(
    { group: 'Layout', asks: 'layout.preset', isPossible: hasTerminals },
    PRESETS.map((slots) => ({
      id: `layout.preset${slots}`,
      title: slots === 1 ? 'Layout: one slot with tabs' : `Layout: ${slots} slots`,
      run: (parts) => void arrangeIn(parts, slots),
    })),
  ),
  ...rows({ group: 'Layout', asks: 'layout.balance', isPossible: hasTerminals }, [
    { id: 'layout.balance', title: 'Balance all splits', run: (parts) => void arrangeIn(parts, 'balance') },
  ]),
  ...rows({ group: 'Layout', asks: 'workspace.view', isPossible: hasWorkspace }, [
    {
      id: 'view.switch',
      title: 'Switch between split and canvas',
      keys: 'Ctrl+Shift+L',
      run: (parts) => void showAs(parts, parts.page.workspace?.view === 'canvas' ? 'split' : 'canvas'),
    },
  ]),
  ...rows({ group: 'Canvas', isPossible: isCanvas }, [
    { id: 'canvas.zoomIn', title: 'Zoom in', run: () => openCanvas()?.zoomBy(1.25) },
    { id: 'canvas.zoomOut', title: 'Zoom out', run: () => openCanvas()?.zoomBy(0.8) },
    { id: 'canvas.fit', title: 'Show the whole canvas', keys: 'Alt+Shift+Home', run: () => openCanvas()?.fit() },
    { id: 'canvas.actualSize', title: 'Show the canvas at 100 %', keys: 'Alt+Shift+End', run: () => openCanvas()?.actualSize() },
    {
      id: 'canvas.arrange',
      title: 'Arrange the canvas by repository',
      asks: 'canvas.arrange',
      run: (parts) => void arrangeIn(parts, 'byRepository').then(() => openCanvas()?.fit()),
    },
  ]),
]

const groupAt = ({ page }: Parts): number =>
  page.state.topology?.groups.findIndex(({ workspaces }) => workspaces.some(({ id }) => id === page.state.workspace)) ?? -1

const moveGroup = (by: 1 | -1, row: Pick<Action, 'id' | 'title'>): Row => ({
  ...row,
  asks: 'group.move',
  isPossible: (parts) => parts.page.state.topology?.groups[groupAt(parts) + by] !== undefined && groupAt(parts) !== -1,
  run: (parts) => {
    const at = groupAt(parts)
    const group = parts.page.state.topology?.groups[at]
    if (group !== undefined) void parts.page.command('group.move', { group: group.id, index: at + by })
  },
})

const WORKSPACE_ACTIONS: readonly Action[] = rows({ group: 'Workspace' }, [
  {
    id: 'workspace.next',
    title: 'Next workspace',
    keys: 'Alt+Shift+PageDown',
    isPossible: hasOthers,
    run: ({ page }) => page.showWorkspaceBeside(1),
  },
  {
    id: 'workspace.previous',
    title: 'Previous workspace',
    keys: 'Alt+Shift+PageUp',
    isPossible: hasOthers,
    run: ({ page }) => page.showWorkspaceBeside(-1),
  },
  {
    id: 'workspace.new',
    title: 'New workspace',
    asks: 'workspace.new',
    run: ({ page }) => ask(page, { kind: 'newWorkspace', group: null }),
  },
  {
    id: 'workspace.rename',
    title: 'Rename workspace',
    asks: 'workspace.rename',
    ...onWorkspace(({ page }, workspace) => ask(page, { kind: 'renameWorkspace', workspace })),
  },
  {
    id: 'workspace.close',
    title: 'Close workspace',
    asks: 'workspace.close',
    ...onWorkspace(({ page }, workspace) => ask(page, { kind: 'closeWorkspace', workspace })),
  },
  ...(
    [
      ['workspace.moveLeft', 'Move workspace left', -1],
      ['workspace.moveRight', 'Move workspace right', 1],
    ] as const
  ).map(([id, title, by]): Row => ({ id, title, asks: 'workspace.move', isPossible: hasOthers, run: (parts) => moveWorkspace(parts, by) })),
  { id: 'group.new', title: 'New workspace group', asks: 'group.new', run: ({ page }) => ask(page, { kind: 'newGroup' }) },
  moveGroup(-1, { id: 'group.before', title: 'Move the workspace group left' }),
  moveGroup(1, { id: 'group.after', title: 'Move the workspace group right' }),
])

export const VIEW_ACTIONS: readonly Action[] = [...TERMINAL_ACTIONS, ...LAYOUT_ACTIONS, ...WORKSPACE_ACTIONS]
