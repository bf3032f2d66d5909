import type { Handler } from '../connection.ts'
import { listedWorkspaces } from '../view.ts'

export const listWorkspaces: Handler<'workspace.list'> = (daemon) => ({ ok: true, result: listedWorkspaces(daemon.topology) })
