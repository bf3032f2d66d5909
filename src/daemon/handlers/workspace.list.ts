import type { Handler } from '../connection.ts'
import { workspaceViews } from '../view.ts'

export const listWorkspaces: Handler<'workspace.list'> = (daemon) => ({ ok: true, result: workspaceViews(daemon.topology) })
