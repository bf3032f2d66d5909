/**
 * A settings file of the user's, changed atomically: a backup beside it first, then a draft that replaces it. A link stays a
 * link, and permissions stay.
 */
import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tripWire } from '../../base/tripWire.ts'
import { readIfThere, realPlace, replaceFile, writeSynced } from '../../client/wholeFile.ts'

const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_DIRECTORY = 0o700
const BACKUP = '.holdfast-backup-'
const DRAFT = '.holdfast-draft'

const isReached = tripWire(process.env['HOLDFAST_TRIP'])
function trip(point: string): void {
  if (isReached(point)) process.kill(process.pid, 'SIGKILL')
}

export type SettingsFile = {
  /** Null if it does not exist. */
  read(): string | null
  /** From before earlier changes, newest first. */
  backups(): readonly { readonly file: string; readonly text: string }[]
  /** Returns the path of the backup, or null if there was no file. */
  backUp(now: Date): string | null
  /** False if the file is no longer `expected`: another program has changed it. */
  replace(text: string, expected: string | null): boolean
  remove(): void
  forgetBackups(): void
}

/** `directory` is the agent's own and stays; an empty one below it is removed with the file. */
export function settingsFile(file: string, directory: string): SettingsFile {
  const read = (): string | null => readIfThere(file)
  const backupFiles = (): string[] =>
    namesIn(dirname(file))
      .filter((name) => name.startsWith(basename(file) + BACKUP))
      .sort()
      .reverse()
      .map((name) => join(dirname(file), name))
  const backups = () => backupFiles().map((path) => ({ file: path, text: readIfThere(path) ?? '' }))
  return {
    read,
    backups,
    backUp: (now) => {
      const text = read()
      if (text === null) return null
      const known = backups().find((backup) => backup.text === text)
      if (known !== undefined) return known.file
      const backup = file + BACKUP + now.toISOString().replaceAll(/[-:]/g, '')
      writeSynced(backup, text, OWNER_ONLY_FILE)
      trip('hooks:backed-up')
      return backup
    },
    replace: (text, expected) => {
      mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_DIRECTORY })
      return replaceFile(file, { text, expected, draft: DRAFT, reached: (step) => trip(`hooks:${step}`) })
    },
    remove: () => {
      rmSync(file, { force: true })
      trip('hooks:removed')
      if (dirname(file) !== directory && namesIn(dirname(file)).length === 0) rmdirSync(dirname(file))
    },
    forgetBackups: () => {
      for (const backup of [...backupFiles(), realPlace(file) + DRAFT]) rmSync(backup, { force: true })
    },
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // missing or unreadable: then it has no backup of ours
  }
}
