import { beforeEach, describe, expect, it } from 'vitest'
import { pageSettings } from '../../../test/support/pageSettings.ts'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { TerminalId } from '../../base/ids.ts'
import { done, refusals, refused } from '../../base/refusal.ts'
import type { ClientState, WatchHandlers } from '../../client/daemonClient.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import type { TopologyView, WorkspaceView } from '../../wire/topologyView.ts'
import type { TerminalView } from '../../wire/view.ts'
import { preset } from '../../workspace/layout/presets.ts'
import { LOGGED_OUT } from '../device/webSocketTransport.ts'
import { Page } from './page.ts'

const view = (id: string, changes: Partial<TerminalView> = {}): TerminalView => terminalView({ id, directory: `/${id}`, ...changes })

/** As many slots side by side as there are terminals. */
function workspace(id: string, terminals: readonly string[], changes: Partial<WorkspaceView['layout']> = {}): WorkspaceView {
  const slots = { kind: 'slot', terminals: terminals as readonly TerminalId[], active: terminals[0] as TerminalId } as const
  const layout = terminals.length === 0 ? { root: null, zoomed: null } : preset({ root: slots, zoomed: null }, 9)
  return { id, name: id, view: 'split', layout: { ...layout, ...changes }, canvas: {} }
}
const topology = (...workspaces: WorkspaceView[]): TopologyView => ({
  groups: [{ id: 'g', name: 'g', color: 'blue', workspaces }],
  dock: workspaces.flatMap(({ layout }) => JSON.stringify(layout).match(/\b[a-z]\b/g) ?? []),
})

let tell: (state: ClientState) => void
let watcher: WatchHandlers
let asked: unknown[]
let answer: unknown
let isVisible: boolean
let page: Page

const event = (happened: DaemonEvent) => watcher.onEvent(happened)
const all = (terminals: readonly TerminalView[], where: TopologyView) =>
  watcher.onAll({ terminals: [...terminals], topology: where, settings: pageSettings() })
const ids = () => page.state.terminals?.map(({ id }) => id)
const standing = () => [page.state.workspace, page.state.focused]

beforeEach(() => {
  asked = []
  isVisible = true
  answer = done({ result: {}, blob: new Uint8Array() })
  const client = {
    state: { kind: 'connecting' },
    onState: (listener: typeof tell) => {
      tell = listener
    },
    watch: (handlers: WatchHandlers) => {
      watcher = handlers
    },
    request: (command: string, params: unknown) => {
      asked.push([command, params])
      return Promise.resolve(answer)
    },
  }
  page = new Page({ client: client as never, focused: 'b', isVisible: () => isVisible })
})

describe('what the page knows', () => {
  it('does not claim that there are no terminals before the daemon has said so', () => {
    expect(page.state.terminals).toBeNull()
    all([], topology(workspace('w', [])))
    expect([page.state.terminals, ...standing()]).toEqual([[], 'w', null])
  })

  it('has the usual settings until the daemon has told others', () => {
    expect(page.state.settings).toEqual(pageSettings())
  })

  it('keeps the order of the dock, and the terminal of the address focused, in its workspace', () => {
    all([view('c'), view('a'), view('b')], topology(workspace('v', ['a']), workspace('w', ['b', 'c'])))
    expect([ids(), ...standing()]).toEqual([['a', 'b', 'c'], 'w', 'b'])
  })

  it('gives the keyboard to the neighbour of a terminal that is closed', () => {
    all([view('a'), view('b'), view('c')], topology(workspace('w', ['a', 'b', 'c'])))
    event({ kind: 'topology', topology: topology(workspace('w', ['a', 'c'])) })
    event({ kind: 'closed', terminal: 'b' })
    expect(page.state.focused).toBe('c')
    event({ kind: 'topology', topology: topology(workspace('w', ['a'])) })
    event({ kind: 'closed', terminal: 'c' })
    expect(page.state.focused).toBe('a')
  })

  it('follows the focused terminal into another workspace, and stays in a workspace that lost its last one', () => {
    all([view('a'), view('b')], topology(workspace('v', ['a']), workspace('w', ['b'])))
    event({ kind: 'topology', topology: topology(workspace('v', ['a', 'b']), workspace('w', [])) })
    expect(standing()).toEqual(['v', 'b'])
    page.showWorkspace('w')
    expect(standing()).toEqual(['w', null])
  })

  it('says whether the daemon is away, has logged the browser out, or speaks another protocol', () => {
    tell({ kind: 'connected', daemon: { version: '9', pid: 1, protocol: 1 } })
    expect([page.state.link, page.state.version]).toEqual(['live', '9'])
    tell({ kind: 'waiting', why: 'gone' })
    tell({ kind: 'connecting' })
    expect([page.state.link, page.state.version]).toEqual(['away', '9'])
    tell({ kind: 'waiting', why: LOGGED_OUT })
    expect(page.state.link).toBe('loggedOut')
  })
})

describe('what lies over the page', () => {
  it('goes when the terminal that it is about is closed elsewhere, and stays else', () => {
    all([view('a'), view('b')], topology(workspace('w', ['a', 'b'])))
    page.open({ kind: 'close', terminal: 'a' })
    event({ kind: 'terminal', terminal: view('a', { title: 'other' }) })
    expect(page.state.overlay).not.toBeNull()
    event({ kind: 'closed', terminal: 'a' })
    expect(page.state.overlay).toBeNull()
    page.open({ kind: 'palette', text: '', topic: { kind: 'theme', terminal: 'b' } })
    event({ kind: 'closed', terminal: 'b' })
    expect(page.state.overlay).toBeNull()
    page.open({ kind: 'settings' })
    event({ kind: 'topology', topology: topology(workspace('w', [])) })
    expect(page.state.overlay).toEqual({ kind: 'settings' })
  })
})

describe('what the page does', () => {
  it('shows a terminal that is focused: its workspace, in front of its tabs', () => {
    const tabs = { kind: 'slot', terminals: ['a', 'c'] as never, active: 'a' as never } as const
    all([view('a'), view('b'), view('c')], topology(workspace('v', ['a', 'c'], { root: tabs }), workspace('w', ['b'])))
    page.focus('c')
    expect(standing()).toEqual(['v', 'c'])
    expect(asked).toEqual([['layout.activate', { terminal: 'c' }]])
  })

  it('brings the zoom along when another terminal is focused', () => {
    all([view('a'), view('b')], topology(workspace('w', ['a', 'b'], { zoomed: 'b' as never })))
    page.focus('a')
    expect(asked).toEqual([['layout.zoom', { terminal: 'a', zoomed: true }]])
  })

  it('goes round through all terminals, and through all workspaces, where it remembers who had the keyboard', () => {
    all([view('a'), view('b'), view('c')], topology(workspace('v', ['a']), workspace('w', ['b', 'c'])))
    page.focusBeside(1)
    expect(standing()).toEqual(['w', 'c'])
    page.focusBeside(1)
    expect(standing()).toEqual(['v', 'a'])
    page.showWorkspaceBeside(-1)
    expect(standing()).toEqual(['w', 'c'])
  })

  it('tells once that the focused terminal has been seen, and only while somebody can see it', () => {
    isVisible = false
    all([view('b', { unread: true })], topology(workspace('w', ['b'])))
    expect(asked).toEqual([])
    isVisible = true
    page.markSeen()
    page.markSeen()
    expect(asked).toEqual([['terminal.seen', { terminal: 'b' }]])
  })

  it('starts a shell where the focused terminal is, beside it when asked, and focuses what it made', async () => {
    all([view('b')], topology(workspace('w', ['b'])))
    answer = done({ result: view('z', { workspace: 'w' }), blob: new Uint8Array() })
    await page.create({ place: { terminal: 'b', where: 'right' }, size: { cols: 100, rows: 30 } })
    expect(asked).toEqual([
      ['terminal.new', { cwd: '/b', env: {}, args: [], size: { cols: 100, rows: 30 }, beside: { terminal: 'b', where: 'right' } }],
    ])
    expect(page.state.focused).toBe('z')
    event({ kind: 'topology', topology: topology(workspace('w', ['b', 'z'])) })
    expect(standing()).toEqual(['w', 'z'])
  })

  it('shows the workspace that a new terminal was made in, whose name is all that the record knows', async () => {
    all([view('b')], topology(workspace('w', ['b']), { ...workspace('v', []), name: 'Other' }))
    answer = done({ result: view('z', { workspace: 'Other' }), blob: new Uint8Array() })
    await page.create({ workspace: 'v', isPrivate: true })
    expect(asked).toEqual([['terminal.new', { cwd: '/b', env: {}, args: [], private: true, workspace: 'v' }]])
    expect(standing()).toEqual(['v', 'z'])
  })

  it('leaves it to the caller to show what was refused', async () => {
    answer = refused(refusals.nameTaken('x'))
    expect(await page.tryCreate({ name: 'x' })).toMatchObject({ ok: false, refusal: { code: 'name-taken' } })
    expect(page.state.notice).toBeNull()
  })

  it('keeps a refusal until it is dismissed or something else works', async () => {
    answer = refused(refusals.terminalNotFound('x'))
    await page.rename('x', 'name')
    expect(page.state.notice?.message).toContain('x')
    answer = done({ result: {}, blob: new Uint8Array() })
    await page.rename('b', ' name ')
    expect(page.state.notice).toBeNull()
    expect(asked.at(-1)).toEqual(['terminal.rename', { terminal: 'b', name: 'name' }])
  })

  it('asks before something is lost by a sleep, and does it when told twice', async () => {
    answer = refused(refusals.wouldLose('b', 'npm is running and would be ended'))
    await page.sleep('b')
    expect(page.state).toMatchObject({
      notice: null,
      overlay: { kind: 'sleep', terminal: 'b', why: expect.stringContaining('npm is running and would be ended') },
    })
    await page.sleep('b', { force: true })
    expect(asked.map((each) => JSON.stringify(each))).toEqual([
      '["terminal.sleep",{"terminal":"b","force":false}]',
      '["terminal.sleep",{"terminal":"b","force":true}]',
    ])
  })

  it('says nothing twice when a resume failed: the terminal itself says why', async () => {
    answer = refused({ code: 'resume-failed', message: 'no', hint: '' } as never)
    await page.wake('b', { mode: 'resume' })
    expect(page.state.notice).toBeNull()
  })
})

describe('a page that is view only', () => {
  const slot = { kind: 'slot', terminals: ['a', 'b', 'c'] as TerminalId[], active: 'a' as TerminalId } as const
  const tabs = workspace('w', ['a', 'b', 'c'], { root: slot, zoomed: null })
  const view3 = [view('a', { unread: true }), view('b'), view('c')]
  const viewOnly = { sees: 'all', commands: ['watch', 'terminal.read'] } as const
  const limited = (where: TopologyView) =>
    watcher.onAll({ terminals: [...view3], topology: where, settings: pageSettings(), access: viewOnly })
  const front = () => page.workspace?.layout

  it('brings tabs to the front and zooms for itself, and asks the daemon for nothing', async () => {
    limited(topology(tabs))
    page.focus('c')
    expect(front()).toMatchObject({ root: { active: 'c' }, zoomed: null })
    await page.zoom('b', true)
    expect(front()).toMatchObject({ root: { active: 'b' }, zoomed: 'b' })
    page.focus('a')
    expect(front()).toMatchObject({ root: { active: 'a' }, zoomed: 'a' })
    // What others do with the layout does not take away what is looked at here.
    event({ kind: 'topology', topology: topology(workspace('w', ['a', 'b', 'c'], { root: slot, zoomed: 'b' as TerminalId })) })
    expect(front()?.zoomed).toBe('a')
    await page.zoom('a', false)
    expect([front()?.zoomed, asked]).toEqual([null, []])
  })

  it('opens nothing that would be refused', () => {
    limited(topology(tabs))
    page.open({ kind: 'close', terminal: 'a' })
    page.open({ kind: 'settings' })
    expect(page.state.overlay).toBeNull()
    page.open({ kind: 'reading', reading: { kind: 'terminal', terminal: 'a' } })
    expect(page.state.overlay?.kind).toBe('reading')
  })

  it('says when it may do something else than before, and closes what was open', () => {
    all(view3, topology(tabs))
    page.open({ kind: 'settings' })
    limited(topology(tabs))
    expect([page.state.overlay, page.toasts.shown.map(({ text }) => text)]).toEqual([null, ['This browser is now view only.']])
    limited(topology(tabs))
    all(view3, topology(tabs))
    expect([page.may('terminal.close'), page.toasts.shown.map(({ text }) => text)]).toEqual([true, ['This browser now has full access.']])
  })
})
