/** A terminal that is to be made, and what is asked of the daemon for it. Pure. */
import type { Params } from '../../wire/commands/commands.ts'
import type { Rect } from '../../workspace/layout/canvas.ts'
import type { ProgramGrant, Size } from '../../workspace/terminal/terminal.ts'
import type { NewPlace } from './overlay.ts'

export type NewTerminal = {
  readonly cwd?: string
  readonly command?: string
  readonly args?: readonly string[]
  readonly name?: string
  readonly place?: NewPlace
  /** The id of another workspace than the one that is shown. */
  readonly workspace?: string
  /** Where on the canvas. */
  readonly rect?: Rect | null
  readonly isPrivate?: boolean
  /** Left out: as the settings say. */
  readonly may?: ProgramGrant
  readonly size?: Size | null
}

type Standing = { readonly directory: string; readonly workspace: string | null }

/** What is not said is as it is where one stands: its directory, its workspace. */
export function paramsOf(wish: NewTerminal, standing: Standing): Params<'terminal.new'> {
  const {
    cwd,
    command,
    args = [],
    name,
    place = null,
    workspace = standing.workspace,
    rect = null,
    isPrivate = false,
    size = null,
    may,
  } = wish
  return {
    cwd: cwd ?? standing.directory,
    env: {},
    args: [...args],
    ...(command === undefined ? {} : { command }),
    ...(name === undefined ? {} : { name }),
    ...(size === null ? {} : { size }),
    ...(isPrivate ? { private: true } : {}),
    ...(may === undefined ? {} : { may }),
    ...(rect === null ? {} : { rect }),
    ...(place === null ? (workspace === null ? {} : { workspace }) : { beside: place }),
  }
}
