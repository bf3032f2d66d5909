import { beforeEach, describe, expect, it } from 'vitest'
import { pageSettings } from '../../test/support/pageSettings.ts'
import { terminalView } from '../../test/support/terminalView.ts'
import { done, refusals, refused } from '../base/refusal.ts'
import type { ClientState, WatchHandlers } from '../client/daemonClient.ts'
import type { DaemonEvent } from '../wire/daemon.ts'
import type { TerminalView } from '../wire/view.ts'
import { Page } from './page.ts'
import { LOGGED_OUT } from './webSocketTransport.ts'

const view = (id: string, created: number): TerminalView => terminalView({ id, created, cwd: `/${id}` })

let tell: (state: ClientState) => void
let watcher: WatchHandlers
let asked: unknown[]
let answer: unknown
let page: Page

const event = (happened: DaemonEvent) => watcher.onEvent(happened)
const all = (...terminals: TerminalView[]) => watcher.onAll({ terminals, topology: { groups: [], dock: [] }, settings: pageSettings() })
const ids = () => page.state.terminals?.map(({ id }) => id)

beforeEach(() => {
  asked = []
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
  page = new Page(client as unknown as ConstructorParameters<typeof Page>[0], 'b')
})

describe('what the page knows', () => {
  it('does not claim that there are no terminals before the daemon has said so', () => {
    expect(page.state.terminals).toBeNull()
    all()
    expect(page.state.terminals).toEqual([])
  })

  it('keeps the oldest first, and the terminal of the address selected', () => {
    all(view('c', 3), view('a', 1), view('b', 2))
    expect([ids(), page.state.selected]).toEqual([['a', 'b', 'c'], 'b'])
  })

  it('takes whole records, new and known ones', () => {
    all(view('a', 1))
    event({ kind: 'terminal', terminal: { ...view('a', 1), name: 'new name' } })
    event({ kind: 'terminal', terminal: view('z', 2) })
    expect(page.state.terminals?.map(({ name }) => name)).toEqual(['new name', null])
    expect(page.state.selected).toBe('a')
  })

  it('moves to the neighbour when the selected terminal is closed', () => {
    all(view('a', 1), view('b', 2), view('c', 3))
    const selectedAfter = (closed: string) => {
      event({ kind: 'closed', terminal: closed })
      return page.state.selected
    }
    expect(['b', 'c', 'a'].map(selectedAfter)).toEqual(['c', 'a', null])
  })

  it('keeps everything on the page while the daemon is away', () => {
    all(view('a', 1))
    const seen = [
      { kind: 'connected', daemon: { version: '1', pid: 1, protocol: 1 } },
      { kind: 'waiting', why: 'gone' },
      { kind: 'connecting' },
      { kind: 'waiting', why: LOGGED_OUT },
      { kind: 'over', refusal: refusals.daemonVersion(2, 1) },
    ] as const
    const linkAfter = (state: ClientState) => {
      tell(state)
      return page.state.link
    }
    expect(seen.map(linkAfter)).toEqual(['live', 'away', 'away', 'loggedOut', 'outdated'])
    expect(ids()).toEqual(['a'])
  })
})

describe('what the page does', () => {
  it('walks round the list in both directions', () => {
    all(view('a', 1), view('b', 2), view('c', 3))
    const walk = (step: 1 | -1) => {
      page.selectBeside(step)
      return page.state.selected
    }
    expect([walk(1), walk(1), walk(-1), walk(-1)]).toEqual(['c', 'a', 'c', 'b'])
  })

  it('starts a new terminal where the selected one is, at the size of its place, and selects it', async () => {
    all(view('b', 2))
    answer = done({ result: view('n', 9), blob: new Uint8Array() })
    await page.create({ cols: 100, rows: 30 })
    expect(asked).toEqual([['terminal.new', { cwd: '/b', env: {}, args: [], size: { cols: 100, rows: 30 } }]])
    expect([ids(), page.state.selected]).toEqual([['b', 'n'], 'n'])
  })

  it('starts the first terminal at home', async () => {
    all()
    answer = done({ result: view('n', 9), blob: new Uint8Array() })
    await page.create(null)
    expect(asked).toEqual([['terminal.new', { cwd: '~', env: {}, args: [] }]])
  })

  it('shows a refusal until it is dismissed or something else works', async () => {
    const no = refusals.nameTaken('api')
    answer = refused(no)
    await page.rename('a', ' api ')
    expect([asked, page.state.notice]).toEqual([[['terminal.rename', { terminal: 'a', name: 'api' }]], no])
    answer = done({ result: {}, blob: new Uint8Array() })
    await page.wake('a', { mode: 'resume' })
    expect(page.state.notice).toBeNull()
  })
})
