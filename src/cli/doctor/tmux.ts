/** tmux: whether it can hold programs, and its limits. Starts no server. */
import { existsSync } from 'node:fs'
import { type Installed, installedTmux } from '../../tmux/run.ts'
import { listSessions, type Sessions } from '../../tmux/server.ts'
import type { Paths } from '../../wire/paths.ts'
import { loadConfig } from '../core/loadConfig.ts'
import { type Finding, ok, warn } from './check.ts'

const NONE: Sessions = { kind: 'known', sessions: [] }

/** `docs/tmux.md` explains them. */
const LIMITS = [
  'Output that a program prints while no Holdfast process is connected is restored from tmux (its screen and 50,000 lines of history), not byte for byte.',
  'The last few KB of a program that prints a lot and then ends may be missing, as in tmux itself.',
  'tmux answers the terminal queries of programs.',
  'Extended keyboard protocols (kitty, modifyOtherKeys) are off.',
  'After such a gap, Holdfast does not know whether a program wants bracketed paste.',
] as const

export async function checkTmux(paths: Pick<Paths, 'config' | 'tmuxSocket'>): Promise<readonly Finding[]> {
  const [installed, { config }] = await Promise.all([installedTmux(), loadConfig(paths.config)])
  // Without a socket there is no server.
  const held = installed.ok && existsSync(paths.tmuxSocket) ? await listSessions(paths.tmuxSocket) : NONE
  return tmuxFindings({ installed, isWanted: config.backend === 'tmux', held })
}

type Seen = { readonly installed: Installed; readonly isWanted: boolean; readonly held: Sessions }

export function tmuxFindings({ installed, isWanted, held }: Seen): readonly Finding[] {
  if (!installed.ok) return [isWanted ? warn('tmux', installed.why, INSTEAD) : warn('tmux', installed.why, UNNEEDED)]
  const found = `${installed.version}, can hold programs`
  if (held.kind === 'unknown')
    return [warn('tmux', `${found}, but does not answer: ${held.why}`, 'Its programs keep running.'), ...limits()]
  const count = held.sessions.filter(({ isDead }) => !isDead).length
  const holds = count === 0 ? 'holds none now' : `holds ${count} now`
  const isUsed = isWanted || held.sessions.length > 0
  return [ok('tmux', isUsed ? `${found}, ${holds}` : found), ...(isUsed ? limits() : [])]
}

const INSTEAD = 'config.toml sets backend = "tmux", but without it new programs run in holders. Install tmux 3.3 or newer.'
const UNNEEDED = 'Optional: only backend = "tmux" and holdfast adopt need it.'

const limits = (): readonly Finding[] => LIMITS.map((limit) => ok('tmux limits', limit))
