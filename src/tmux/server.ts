/** What runs in our tmux server, and what the user's own servers have to offer. Asks, and never changes anything but what is ours. */
import type { RunId, TerminalId } from '../base/ids.ts'
import { isId } from '../base/ids.ts'
import { MARK } from './pane.ts'
import { type Ran, runTmux } from './run.ts'
import { checkedPane, checkedSession, runOf } from './session.ts'

export type FoundSession = {
  readonly run: RunId
  readonly session: string
  /** Whose it is; null where a start was interrupted before its program began: then there is none. */
  readonly terminal: TerminalId | null
  readonly startedAt: number
  /** Of the session itself. */
  readonly createdAt: number
  readonly pid: number
  readonly isDead: boolean
  readonly size: { readonly cols: number; readonly rows: number }
}

/** `silent` is no answer: what runs there is not known. A server that is not there has no sessions, and says so. */
export type Sessions =
  | { readonly kind: 'known'; readonly sessions: readonly FoundSession[] }
  | { readonly kind: 'unknown'; readonly why: string }

const SESSION_FORMAT = ['session_name', MARK, 'pane_pid', 'pane_dead', 'pane_width', 'pane_height', 'session_created']
  .map((name) => `#{${name}}`)
  .join('\t')

export async function listSessions(socket: string, withinMs?: number): Promise<Sessions> {
  const ran = await runTmux(['-S', socket, 'list-panes', '-a', '-F', SESSION_FORMAT], withinMs === undefined ? {} : { withinMs })
  switch (ran.kind) {
    case 'done':
      return { kind: 'known', sessions: ran.text.split('\n').flatMap(foundIn) }
    case 'refused':
      return isNoServer(ran.why) ? { kind: 'known', sessions: [] } : { kind: 'unknown', why: ran.why }
    case 'silent':
    case 'missing':
      return { kind: 'unknown', why: ran.why }
  }
}

export const isNoServer = (why: string): boolean => /no server running|No such file or directory|Connection refused|no sessions/i.test(why)

function foundIn(line: string): readonly FoundSession[] {
  const [session = '', mark = '', pid, dead, cols, rows, created] = line.split('\t')
  const run = runOf(session)
  if (run === null) return []
  const { terminal, at } = markIn(mark)
  const size = { cols: Number(cols), rows: Number(rows) }
  const createdAt = Number(created) * 1_000
  return [{ run, session, terminal, startedAt: at, createdAt, pid: Number(pid), isDead: dead === '1', size }]
}

function markIn(text: string): { readonly terminal: TerminalId | null; readonly at: number } {
  try {
    const { terminal, at } = JSON.parse(text) as Record<string, unknown>
    return { terminal: typeof terminal === 'string' && isId('terminal', terminal) ? terminal : null, at: Number(at) || 0 }
  } catch {
    return { terminal: null, at: 0 } // no mark: nothing has begun
  }
}

/**
 * Ends the clients of sessions whose holder is gone. tmux (3.3a) never lets go of a client in control mode that died with
 * unread output: its process and, once the last session has ended, the server itself would stay for ever.
 */
export async function endClients(socket: string, sessions: readonly string[]): Promise<void> {
  if (sessions.length === 0) return
  const ran = await runTmux(['-S', socket, 'list-clients', '-F', '#{client_pid}\t#{client_control_mode}\t#{session_name}'])
  if (ran.kind !== 'done') return
  for (const line of ran.text.split('\n')) {
    const [pid, isControl, session = ''] = line.split('\t')
    if (isControl !== '1' || !sessions.includes(session)) continue
    try {
      process.kill(Number(pid), 'SIGTERM')
    } catch {
      // it has just ended
    }
  }
}

/** Ends a session whose holder is gone, with its clients: a client that stays keeps the server from ending after its last session. */
export async function endSession(socket: string, session: string): Promise<Ran> {
  await endClients(socket, [session])
  return await runTmux(['-S', socket, 'kill-session', '-t', `=${checkedSession(session)}`])
}

/** A pane of the user's own tmux. */
export type GuestPane = {
  readonly pane: string
  readonly session: string
  readonly window: string
  readonly windowName: string
  /** Of the pane in its window. */
  readonly index: string
  /** Its program has ended, and its pane was told to stay. */
  readonly isDead: boolean
  readonly pid: number
  readonly command: string
  readonly cwd: string
  readonly title: string
  readonly size: { readonly cols: number; readonly rows: number }
}

const GUEST_FORMAT = [
  ...['pane_id', 'session_name', 'window_index', 'pane_index', 'window_name', 'pane_dead', 'pane_pid', 'pane_width', 'pane_height'],
  ...['pane_current_command', 'pane_current_path', 'pane_title'],
]
  .map((name) => `#{${name}}`)
  .join('\t')

/** Of one session, or of all. */
export async function listGuests(
  socket: string,
  session: string | null,
): Promise<Ran | { readonly kind: 'panes'; readonly panes: readonly GuestPane[] }> {
  // Without the colon a name may be taken for that of a window, or for the beginning of another session's.
  const of = session === null ? ['-a'] : ['-s', '-t', `=${session}:`]
  const ran = await runTmux(['-S', socket, 'list-panes', ...of, '-F', GUEST_FORMAT])
  return ran.kind === 'done' ? { kind: 'panes', panes: onceEach(ran.text.split('\n').flatMap(guestIn)) } : ran
}

/** A window may be in several sessions. */
const onceEach = (panes: readonly GuestPane[]): readonly GuestPane[] => [...new Map(panes.map((pane) => [pane.pane, pane])).values()]

function guestIn(line: string): readonly GuestPane[] {
  const [pane = '', session = '', window = '', index = '', windowName = '', dead, pid, cols, rows, command = '', cwd = '', ...title] =
    line.split('\t')
  if (!/^%\d+$/.test(pane)) return []
  return [
    {
      ...{ pane, session, window, windowName, index, isDead: dead === '1', pid: Number(pid), command, cwd, title: title.join('\t') },
      size: { cols: Number(cols), rows: Number(rows) },
    },
  ]
}

/** By its process, too: a server that was started anew gives the same names to other panes. */
export async function findGuest(socket: string, { pane, pid }: Pick<GuestPane, 'pane' | 'pid'>): Promise<'there' | 'gone' | 'unknown'> {
  const ran = await runTmux(['-S', socket, 'display-message', '-p', '-t', checkedPane(pane), '#{pane_pid}'])
  if (ran.kind === 'silent') return 'unknown'
  return ran.kind === 'done' && ran.text.trim() === String(pid) ? 'there' : 'gone'
}
