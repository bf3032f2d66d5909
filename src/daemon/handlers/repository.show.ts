import { homedir } from 'node:os'
import type { Handler } from '../connection.ts'
import { expandHome } from '../places/directories.ts'
import { showRepository as show } from '../places/showRepository.ts'

export const showRepository: Handler<'repository.show'> = async (_daemon, { path }) => {
  const shown = await show(expandHome(path, homedir()), new Date())
  return shown.ok ? { ok: true, result: shown.value } : shown
}
