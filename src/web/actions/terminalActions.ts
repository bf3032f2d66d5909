/** What can be done with the terminal that has the keyboard. */
import type { TerminalView } from '../../wire/view.ts'
import type { Parts } from '../hooks/parts.ts'
import { nextNeedingYou } from '../state/needsYou.ts'
import type { Topic } from '../state/overlay.ts'
import { copyText } from '../tiles/transfer/copyText.ts'
import type { Action } from './action.ts'
import { findInTile, pasteInto } from './tileTools.ts'

const hasFocused = ({ page }: Parts): boolean => page.focused !== null
const isAsleep = ({ page }: Parts): boolean => page.focused?.state === 'asleep'
const isLive = ({ page }: Parts): boolean => page.focused?.state === 'live'

type Row = Pick<Action, 'id' | 'title' | 'keys' | 'asks'> & Partial<Pick<Action, 'also' | 'isPossible'>>

/** One that is about the focused terminal, and is not possible without one. */
const about = (row: Row, run: (parts: Parts, terminal: TerminalView) => void): Action => ({
  isPossible: hasFocused,
  ...row,
  group: 'Terminal',
  run: (parts) => parts.page.focused !== null && run(parts, parts.page.focused),
})

const step = (by: 1 | -1, row: Omit<Row, 'asks'>): Action => ({
  ...row,
  asks: null,
  group: 'Terminal',
  run: ({ page, tiles }) => {
    page.focusBeside(by)
    tiles.focus()
  },
})

const CHOSEN = { theme: 'terminal.theme', move: 'terminal.move', afterCrash: 'restore.set' } as const

const choosing = (kind: keyof typeof CHOSEN, row: Omit<Row, 'asks'>): Action =>
  about({ ...row, asks: CHOSEN[kind] }, ({ page }, { id }) =>
    page.open({ kind: 'palette', text: '', topic: { kind, terminal: id } satisfies Topic }),
  )

export const TERMINAL_ACTIONS: readonly Action[] = [
  {
    id: 'terminal.new',
    title: 'New terminal',
    group: 'Terminal',
    keys: 'Ctrl+Shift+Enter',
    asks: 'terminal.new',
    also: 'shell start open',
    run: ({ page, tiles }) => void page.create({ size: tiles.focused?.measure() ?? null }).then(() => tiles.focus()),
  },
  {
    id: 'terminal.newWith',
    title: 'New terminal with options…',
    group: 'Terminal',
    keys: 'Ctrl+Alt+Enter',
    asks: 'terminal.new',
    also: 'agent directory worktree branch command private start',
    run: ({ page }) => page.open({ kind: 'newTerminal', place: null }),
  },
  step(1, { id: 'terminal.next', title: 'Next terminal', keys: 'Ctrl+Shift+ArrowDown' }),
  step(-1, { id: 'terminal.previous', title: 'Previous terminal', keys: 'Ctrl+Shift+ArrowUp' }),
  {
    id: 'terminal.nextNeedingYou',
    title: 'Next terminal that needs you',
    group: 'Terminal',
    keys: 'Ctrl+Shift+Space',
    asks: null,
    also: 'jump attention waiting agent',
    isPossible: ({ page }) => nextNeedingYou(page.state.terminals ?? [], page.state.focused) !== null,
    run: ({ page, tiles }) => {
      const next = nextNeedingYou(page.state.terminals ?? [], page.state.focused)
      if (next !== null) page.focus(next.id)
      tiles.focus()
    },
  },
  about({ id: 'terminal.find', title: 'Find in terminal', keys: 'Ctrl+Shift+F', asks: null, also: 'search' }, ({ tiles }, { id }) =>
    findInTile(tiles, id),
  ),
  {
    id: 'terminal.copy',
    title: 'Copy selection',
    group: 'Terminal',
    keys: 'Ctrl+Shift+C',
    asks: null,
    isPossible: ({ tiles }) => (tiles.focused?.selection ?? '') !== '',
    run: ({ tiles }) => void copyText(tiles.focused?.selection ?? ''),
  },
  about({ id: 'terminal.paste', title: 'Paste', keys: null, asks: 'terminal.send', isPossible: isLive }, ({ tiles }, { id }) =>
    pasteInto(tiles, id),
  ),
  about(
    {
      id: 'terminal.insertFile',
      title: 'Insert a file…',
      keys: null,
      asks: 'terminal.send',
      also: 'upload image drop',
      isPossible: isLive,
    },
    ({ tiles }, { id }) => tiles.insertFiles(id),
  ),
  about(
    { id: 'terminal.read', title: 'Show terminal as text', keys: null, asks: 'terminal.read', also: 'plain history export copy all' },
    ({ page }, { id }) => page.open({ kind: 'reading', reading: { kind: 'terminal', terminal: id } }),
  ),
  about({ id: 'terminal.rename', title: 'Rename terminal', keys: null, asks: 'terminal.rename' }, ({ page }, { id }) =>
    page.open({ kind: 'rename', terminal: id }),
  ),
  about({ id: 'terminal.pin', title: 'Pin or unpin terminal', keys: null, asks: 'terminal.pin' }, ({ page }, { id, pinned }) =>
    page.command('terminal.pin', { terminal: id, pinned: !pinned }),
  ),
  about({ id: 'terminal.mute', title: 'Mute or unmute notifications', keys: null, asks: 'terminal.mute' }, ({ page }, { id, muted }) =>
    page.command('terminal.mute', { terminal: id, muted: !muted }),
  ),
  choosing('theme', { id: 'terminal.theme', title: 'Terminal colors…', keys: null, also: 'theme scheme' }),
  choosing('move', { id: 'terminal.move', title: 'Move terminal to workspace…', keys: null }),
  choosing('afterCrash', { id: 'terminal.afterCrash', title: 'Wake terminal after a crash…', keys: null, also: 'restore policy' }),
  {
    id: 'terminal.seen',
    title: 'Mark all terminals as read',
    group: 'Terminal',
    keys: null,
    asks: 'terminal.seen',
    also: 'unread clear',
    isPossible: ({ page }) => (page.state.terminals ?? []).some(({ unread }) => unread),
    run: ({ page }) => {
      for (const { id } of (page.state.terminals ?? []).filter(({ unread }) => unread)) void page.command('terminal.seen', { terminal: id })
    },
  },
  about(
    {
      id: 'terminal.agentLog',
      title: 'Agent detection log',
      keys: null,
      asks: 'agent.log',
      also: 'log why conversation',
    },
    ({ page }, { id }) => page.open({ kind: 'reading', reading: { kind: 'agentLog', terminal: id } }),
  ),
  about(
    { id: 'terminal.sleep', title: 'Put terminal to sleep', keys: null, asks: 'terminal.sleep', isPossible: isLive, also: 'end stop' },
    ({ page }, { id }) => page.sleep(id),
  ),
  about(
    {
      id: 'terminal.wake',
      title: 'Wake terminal',
      keys: null,
      asks: 'terminal.wake',
      also: 'resume start again',
      isPossible: isAsleep,
    },
    ({ tiles }, { id }) => void tiles.wake(id, { mode: 'resume' }),
  ),
  about(
    { id: 'terminal.restart', title: 'Restart terminal fresh', keys: null, asks: 'terminal.wake', isPossible: isAsleep },
    ({ tiles }, { id }) => void tiles.wake(id, { mode: 'fresh' }),
  ),
  about(
    { id: 'terminal.close', title: 'Close terminal', keys: null, asks: 'terminal.close', also: 'kill end remove' },
    ({ page }, { id }) => page.open({ kind: 'close', terminal: id }),
  ),
  about(
    {
      id: 'terminal.forget',
      title: 'Forget terminal…',
      keys: null,
      asks: 'forget.apply',
      also: 'delete erase remove trace history private',
      isPossible: isAsleep,
    },
    ({ page }, { id }) => page.open({ kind: 'forget', terminal: id }),
  ),
  {
    id: 'terminal.reopen',
    title: 'Reopen last closed terminal',
    group: 'Terminal',
    keys: 'Ctrl+Shift+U',
    asks: 'terminal.reopen',
    also: 'undo close bring back restore',
    run: ({ page, tiles }) => void page.reopen().then(() => tiles.focus()),
  },
  {
    id: 'terminal.reopenOne',
    title: 'Reopen a closed terminal…',
    group: 'Terminal',
    keys: null,
    asks: 'terminal.reopen',
    also: 'undo close bring back choose',
    run: ({ page }) => page.open({ kind: 'palette', text: '', topic: { kind: 'closed' } }),
  },
]
