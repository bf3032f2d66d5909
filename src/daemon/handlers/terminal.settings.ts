/** The list of terminals, and what the user sets on one: its name, theme, pin, notifications and restore policy. */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { isSchemeName, SCHEME_NAMES } from '../../wire/pageSettings.ts'
import { checkNameFree } from '../../workspace/name.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { find } from '../terminals/find.ts'
import { viewOf } from '../terminals/view.ts'
import type { Handlers, Parts, Viewing } from './world.ts'

const STATUS_WITHIN_MS = 150 // the foreground program is worth a look, not a wait

type World = Pick<Parts, 'activity' | 'agents' | 'holders' | 'layout' | 'react' | 'registry' | 'repositories'> & Viewing
type Names = 'terminal.list' | 'terminal.rename' | 'terminal.theme' | 'terminal.pin' | 'terminal.mute' | 'terminal.seen' | 'restore.set'

export const settingHandlers: Handlers<Names, World> = {
  'terminal.list': async (daemon) => {
    await Promise.all([
      daemon.repositories.knowUsed(),
      daemon.activity.look(),
      ...daemon.registry.all().map(async (terminal) => {
        if (terminal.state !== 'live') return
        const status = await daemon.holders.refresh(terminal.run, STATUS_WITHIN_MS)
        if (status !== null) daemon.react(terminal.id, { kind: 'foregroundSeen', run: terminal.run, foreground: status.foreground })
      }),
    ])
    return { ok: true, result: daemon.layout.inDockOrder().map((terminal) => viewOf(terminal, daemon)) }
  },

  'terminal.rename': (daemon, params) =>
    change(daemon, params.terminal, ({ id }) => {
      const name = params.name === '' ? done(null) : checkNameFree(params.name, { terminals: daemon.registry.all(), self: id })
      return name.ok ? done({ kind: 'renamed', name: name.value }) : name
    }),

  'terminal.theme': (daemon, { terminal, theme }) =>
    change(daemon, terminal, () => {
      if (theme !== null && !isSchemeName(theme)) return refused(refusals.schemeNotFound(theme, SCHEME_NAMES))
      return done({ kind: 'themed', theme })
    }),

  'terminal.pin': (daemon, { terminal, pinned }) => change(daemon, terminal, () => done({ kind: 'pinnedSet', pinned })),

  'terminal.mute': (daemon, { terminal, muted }) => change(daemon, terminal, () => done({ kind: 'mutedSet', muted })),

  'terminal.seen': (daemon, { terminal, entered }) =>
    change(daemon, terminal, ({ id }) => {
      if (entered === true) daemon.agents.entered(id)
      return done({ kind: 'looked' })
    }),

  'restore.set': (daemon, { terminal, onRestore }) => change(daemon, terminal, () => done({ kind: 'onRestoreSet', onRestore })),
}

/** Applies the event that `eventFor` makes of the terminal, and answers with the terminal as it is then. */
async function change(daemon: World, ref: string, eventFor: (terminal: Terminal) => Result<TerminalEvent>) {
  const found = find(daemon, ref)
  if (!found.ok) return found
  const event = eventFor(found.value)
  if (!event.ok) return event
  const { id } = found.value
  await daemon.registry.apply(id, event.value)
  return { ok: true, result: viewOf(daemon.registry.get(id) ?? found.value, daemon) } as const
}
