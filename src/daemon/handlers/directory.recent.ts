import type { Handler } from '../connection.ts'
import { directoryOf } from '../directoryOf.ts'
import { recentDirectories as recent } from '../places/directories.ts'

const MOST = 50

export const recentDirectories: Handler<'directory.recent'> = async (daemon) => {
  const used = daemon.registry.all().flatMap((terminal) => [
    { path: terminal.spec.cwd, at: terminal.created },
    { path: directoryOf(terminal, daemon), at: terminal.touched },
  ])
  return { ok: true, result: await recent(used, MOST) }
}
