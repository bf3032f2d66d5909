/** The eyes of the agents' objects: the files of an agent, as Node reads them. It only reads, and never waits for a writer. */
import type { Stats } from 'node:fs'
import { type FileHandle, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { AgentProcess, FileSight, Look, PlaceLook } from '../../agents/agent.ts'
import { listSome, readRegular } from '../../client/regularFile.ts'
import { OtherDatabases } from './otherDatabases.ts'
import type { Sight } from './processLook.ts'

/** Agents' own small files; transcripts are read from one of their ends. */
const LONGEST_WHOLE_BYTES = 8 << 20
/** No agent has as many files in one directory; whoever has put them there wants to be waited for. */
const MOST_ENTRIES = 10_000

export type Place = Pick<PlaceLook, 'cwd' | 'env' | 'argv'>

const databases = new OtherDatabases()

/** `HOME` in the environment says whose files they are, where they are not those of the daemon's user. */
export function placeLook({ cwd, env, argv }: Place): PlaceLook {
  return {
    ...{ home: env['HOME'] ?? homedir(), cwd, env, argv },
    readText,
    list: listDirectory,
    stat: sightOf,
    real: (path) => realpath(path).catch(() => path),
    query: (database, sql, parameters) => databases.rows(database, sql, parameters),
  }
}

export function processLook(process: AgentProcess, sight: Sight): Look {
  let open: Promise<readonly string[]> | null = null
  return {
    ...placeLook({ cwd: process.cwd ?? homedir(), env: process.env, argv: process.process.argv }),
    process,
    openFiles: () => {
      open ??= sight.openFilesOf(process.pids)
      return open
    },
  }
}

type Part = { readonly tail?: number; readonly head?: number }

/** Whatever keeps a file from being read: for whoever looks there is none. */
const readText = (path: string, part: Part = {}): Promise<string | null> =>
  readRegular(path, (handle, found) => readPart(handle, found, part))

async function readPart(handle: FileHandle, found: Stats, { tail, head }: Part): Promise<string | null> {
  const length = Math.min(found.size, tail ?? head ?? found.size)
  if (length > LONGEST_WHOLE_BYTES) return null
  const from = tail === undefined ? 0 : found.size - length
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
  const text = buffer.subarray(0, bytesRead).toString('utf8')
  if (from === 0) return text
  // The first line of what is read may have begun before it.
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1)
}

async function sightOf(path: string): Promise<FileSight | null> {
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  const { size, mtimeMs: modified, birthtimeMs: born } = found
  return { name: basename(path), path, isDirectory: found.isDirectory(), size, modified, born }
}

async function listDirectory(directory: string): Promise<readonly FileSight[]> {
  const { entries } = await listSome(directory, MOST_ENTRIES)
  const sights = await Promise.all(entries.map(({ name }) => sightOf(join(directory, name))))
  return sights.filter((sight) => sight !== null)
}
