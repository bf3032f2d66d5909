import type { Handler } from '../connection.ts'

export const showRecovery: Handler<'recovery.show'> = (daemon) => ({ ok: true, result: daemon.lost.open })
