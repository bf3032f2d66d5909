/** tmux, where it is used to hold programs, and what it cannot do. Asks, and starts no server. */
import { existsSync } from 'node:fs'
import { type Installed, installedTmux } from '../../tmux/run.ts'
import { listSessions, type Sessions } from '../../tmux/server.ts'
import type { Paths } from '../../wire/paths.ts'
import { loadConfig } from '../loadConfig.ts'
import { type Finding, ok, warn } from './check.ts'

const NONE: Sessions = { kind: 'known', sessions: [] }

/** As `docs/tmux.md` tells it at length. */
const LIMITS = [
  'What a program prints while no process of Holdfast follows it comes back as tmux remembers it (its screen and 50,000 lines of history), not byte for byte.',
  'The last few KB of a program that prints a lot and ends at once may be missing, as in tmux itself.',
  'Queries of programs are answered by tmux, as it knows them.',
  'Keyboard protocols beyond the plain one (kitty, modifyOtherKeys) are off.',
  'Whether a program wants bracketed paste is not known after such a gap.',
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
    return [warn('tmux', `${found}, but does not answer: ${held.why}`, 'Its programs are left alone.'), ...limits()]
  const count = held.sessions.filter(({ isDead }) => !isDead).length
  const holds = count === 0 ? 'holds none now' : `holds ${count} now`
  const isUsed = isWanted || held.sessions.length > 0
  return [ok('tmux', isUsed ? `${found}, ${holds}` : found), ...(isUsed ? limits() : [])]
}

const INSTEAD = 'config.toml says backend = "tmux", but Holdfast holds new programs itself. Install tmux 3.3 or newer.'
const UNNEEDED = 'Holdfast works without it: it is only needed for backend = "tmux" and for holdfast adopt.'

const limits = (): readonly Finding[] => LIMITS.map((limit) => ok('tmux limits', limit))
