/** What can be done in the two views, as rows of the page's table of actions. */
import type { Direction, Edge } from '../../workspace/layout.ts'
import { PRESETS } from '../../workspace/presets.ts'
import type { Action } from '../actions.ts'
import type { PlaceAsk } from '../overlay.ts'
import type { Parts } from '../parts.ts'
import { workspacesOf } from '../standing.ts'
import { openCanvas } from './openCanvas.ts'
import { arrangeIn, focusToward, isTab, moveToward, moveWorkspace, resize, showAs, splitBeside, stepTab, toggleZoom } from './verbs.ts'

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
  { id: 'wider', title: 'Make the terminal wider', direction: 'row', by: 1 },
  { id: 'narrower', title: 'Make the terminal narrower', direction: 'row', by: -1 },
  { id: 'taller', title: 'Make the terminal taller', direction: 'column', by: 1 },
  { id: 'shorter', title: 'Make the terminal shorter', direction: 'column', by: -1 },
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

const TERMINAL_ACTIONS: readonly Action[] = [
  {
    id: 'split.right',
    title: 'Split right',
    group: 'Terminal',
    keys: 'Ctrl+Shift+E',
    asks: 'terminal.new',
    ...onFocused((parts, terminal) => splitBeside(parts, terminal, 'right')),
  },
  {
    id: 'split.down',
    title: 'Split down',
    group: 'Terminal',
    keys: 'Ctrl+Shift+O',
    asks: 'terminal.new',
    ...onFocused((parts, terminal) => splitBeside(parts, terminal, 'bottom')),
  },
  {
    id: 'terminal.zoom',
    title: 'Zoom the terminal, or show all again',
    group: 'Terminal',
    keys: 'Ctrl+Shift+X',
    asks: null,
    ...onFocused(toggleZoom),
  },
  ...EDGES.map(
    ({ edge, name, words, arrow }): Action => ({
      id: `focus.${name}`,
      title: `Go to the terminal ${words}`,
      group: 'Terminal',
      keys: `Alt+Shift+${arrow}`,
      asks: null,
      isPossible: hasTerminals,
      run: (parts) => focusToward(parts, edge),
    }),
  ),
  ...EDGES.map(
    ({ edge, name, arrow }): Action => ({
      id: `move.${name}`,
      title: `Move the terminal ${name}`,
      group: 'Layout',
      keys: `Ctrl+Alt+Shift+${arrow}`,
      asks: 'terminal.move',
      isPossible: hasFocused,
      run: (parts) => moveToward(parts, edge),
    }),
  ),
  ...SIZES.map(
    ({ id, title, ...change }): Action => ({
      id: `size.${id}`,
      title,
      group: 'Layout',
      keys: null,
      asks: 'layout.sizes',
      isPossible: hasFocused,
      run: (parts) => resize(parts, change),
    }),
  ),
  {
    id: 'tab.next',
    title: 'Next tab',
    group: 'Layout',
    keys: 'Ctrl+Shift+PageDown',
    asks: null,
    isPossible: isTab,
    run: (parts) => stepTab(parts, 1),
  },
  {
    id: 'tab.previous',
    title: 'Previous tab',
    group: 'Layout',
    keys: 'Ctrl+Shift+PageUp',
    asks: null,
    isPossible: isTab,
    run: (parts) => stepTab(parts, -1),
  },
]

const LAYOUT_ACTIONS: readonly Action[] = [
  ...PRESETS.map(
    (slots): Action => ({
      id: `layout.preset${slots}`,
      title: slots === 1 ? 'Lay out as one slot with tabs' : `Lay out in ${slots} slots`,
      group: 'Layout',
      keys: null,
      asks: 'layout.preset',
      isPossible: hasTerminals,
      run: (parts) => void arrangeIn(parts, slots),
    }),
  ),
  {
    id: 'layout.balance',
    title: 'Balance all splits',
    group: 'Layout',
    keys: null,
    asks: 'layout.balance',
    isPossible: hasTerminals,
    run: (parts) => void arrangeIn(parts, 'balance'),
  },
  {
    id: 'view.switch',
    title: 'Switch between split and canvas',
    group: 'Layout',
    keys: 'Ctrl+Shift+L',
    asks: 'workspace.view',
    isPossible: hasWorkspace,
    run: (parts) => void showAs(parts, parts.page.workspace?.view === 'canvas' ? 'split' : 'canvas'),
  },
  {
    id: 'canvas.zoomIn',
    title: 'Zoom in',
    group: 'Canvas',
    keys: null,
    asks: null,
    isPossible: isCanvas,
    run: () => openCanvas()?.zoomBy(1.25),
  },
  {
    id: 'canvas.zoomOut',
    title: 'Zoom out',
    group: 'Canvas',
    keys: null,
    asks: null,
    isPossible: isCanvas,
    run: () => openCanvas()?.zoomBy(0.8),
  },
  {
    id: 'canvas.fit',
    title: 'Show all of the canvas',
    group: 'Canvas',
    keys: 'Alt+Shift+Home',
    asks: null,
    isPossible: isCanvas,
    run: () => openCanvas()?.fit(),
  },
  {
    id: 'canvas.actualSize',
    title: 'Show the canvas at 100 %',
    group: 'Canvas',
    keys: 'Alt+Shift+End',
    asks: null,
    isPossible: isCanvas,
    run: () => openCanvas()?.actualSize(),
  },
  {
    id: 'canvas.arrange',
    title: 'Arrange the canvas by repository',
    group: 'Canvas',
    keys: null,
    asks: 'canvas.arrange',
    isPossible: isCanvas,
    run: (parts) => void arrangeIn(parts, 'byRepository').then(() => openCanvas()?.fit()),
  },
]

const WORKSPACE_ACTIONS: readonly Action[] = [
  {
    id: 'workspace.next',
    title: 'Next workspace',
    group: 'Workspace',
    keys: 'Alt+Shift+PageDown',
    asks: null,
    isPossible: hasOthers,
    run: ({ page }) => page.showWorkspaceBeside(1),
  },
  {
    id: 'workspace.previous',
    title: 'Previous workspace',
    group: 'Workspace',
    keys: 'Alt+Shift+PageUp',
    asks: null,
    isPossible: hasOthers,
    run: ({ page }) => page.showWorkspaceBeside(-1),
  },
  {
    id: 'workspace.new',
    title: 'New workspace',
    group: 'Workspace',
    keys: null,
    asks: 'workspace.new',
    run: ({ page }) => ask(page, { kind: 'newWorkspace', group: null }),
  },
  {
    id: 'workspace.rename',
    title: 'Rename the workspace',
    group: 'Workspace',
    keys: null,
    asks: 'workspace.rename',
    ...onWorkspace(({ page }, workspace) => ask(page, { kind: 'renameWorkspace', workspace })),
  },
  {
    id: 'workspace.close',
    title: 'Close the workspace',
    group: 'Workspace',
    keys: null,
    asks: 'workspace.close',
    ...onWorkspace(({ page }, workspace) => ask(page, { kind: 'closeWorkspace', workspace })),
  },
  {
    id: 'workspace.moveLeft',
    title: 'Move the workspace left',
    group: 'Workspace',
    keys: null,
    asks: 'workspace.move',
    isPossible: hasOthers,
    run: (parts) => moveWorkspace(parts, -1),
  },
  {
    id: 'workspace.moveRight',
    title: 'Move the workspace right',
    group: 'Workspace',
    keys: null,
    asks: 'workspace.move',
    isPossible: hasOthers,
    run: (parts) => moveWorkspace(parts, 1),
  },
  {
    id: 'group.new',
    title: 'New group of workspaces',
    group: 'Workspace',
    keys: null,
    asks: 'group.new',
    run: ({ page }) => ask(page, { kind: 'newGroup' }),
  },
]

export const VIEW_ACTIONS: readonly Action[] = [...TERMINAL_ACTIONS, ...LAYOUT_ACTIONS, ...WORKSPACE_ACTIONS]
