import type { TerminalId } from '../base/ids.ts'
import { type Environment, isPassable, matcher } from './environmentNames.ts'
import { ALLOWED, MARKERS } from './environmentTables.ts'

/**
 * The environment of a program, built anew at each wake from what the user's session has then: sockets and displays
 * go stale. It starts from nothing and takes what is allowed by name, because a copied environment tells an agent
 * that it runs inside another agent, and a Holdfast inside a Holdfast that it is the outer one.
 */
export type EnvironmentSources = {
  readonly inherited: Readonly<Record<string, string | undefined>>
  /** Names that the user's configuration lets through in addition; `*` stands for any characters. */
  readonly allow: readonly string[]
  /** What the user set for this terminal: it wins over everything but our own variables. */
  readonly set: Environment
  readonly terminal: TerminalId
  readonly socket: string
  /** So that `holdfast` typed inside a terminal speaks to the instance that the terminal is in. */
  readonly home: string
}

const isAllowed = matcher(ALLOWED)
const isMarker = matcher(MARKERS)
const isOurs = matcher(['HOLDFAST_*'])

export function environmentFor({ inherited, allow, set, terminal, socket, home }: EnvironmentSources): Environment {
  const isAllowedByUser = matcher(allow)
  const passes = (name: string): boolean => (isAllowed(name) || isAllowedByUser(name)) && !isMarker(name) && !isOurs(name)
  return {
    ...pick(inherited, passes),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    ...pick(set, (name) => !isOurs(name)),
    HOLDFAST_TERMINAL_ID: terminal,
    HOLDFAST_SOCKET: socket,
    HOLDFAST_HOME: home,
  }
}

function pick(from: Readonly<Record<string, string | undefined>>, passes: (name: string) => boolean): Environment {
  const picked = Object.entries(from).flatMap(([name, value]) =>
    value !== undefined && isPassable(name, value) && passes(name) ? [[name, value]] : [],
  )
  return Object.fromEntries(picked)
}
