import type { Handler } from '../connection.ts'
import { topologyView } from '../view.ts'

export const listGroups: Handler<'group.list'> = (daemon) => ({ ok: true, result: topologyView(daemon.topology).groups })
