import { homedir } from 'node:os'
import type { Handler } from '../connection.ts'
import { completeDirectory as complete } from '../places/directories.ts'

export const completeDirectory: Handler<'directory.complete'> = async (_daemon, { path, limit }) => ({
  ok: true,
  result: await complete(path, { home: homedir(), limit }),
})
