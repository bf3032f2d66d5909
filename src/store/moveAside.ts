/** Puts a damaged database out of the way, whole, so that a person or a later tool can still look into it. */
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DATABASE_FILES, syncDirectory } from './files.ts'
import { noTrip, type Trip } from './trip.ts'

const ASIDE = '.corrupt-'

export const asideNameFor = (file: string, now: number): string =>
  freeName(`${file}${ASIDE}${new Date(now).toISOString().replaceAll(':', '-')}`)

/** The database itself goes last: once it is at its new place, all of it is. Killed before that, it can be asked again. */
export function moveAside(file: string, aside: string, trip: Trip = noTrip): void {
  for (const companion of DATABASE_FILES) {
    if (!existsSync(file + companion)) continue
    renameSync(file + companion, aside + companion)
    trip(`moved ${companion || 'database'}`)
  }
  syncDirectory(dirname(file))
}

/** Every file of every database that was set aside. */
export function asidesOf(file: string): readonly string[] {
  const directory = dirname(file)
  const names = readdirSync(directory).filter((name) => name.startsWith(`${basename(file)}${ASIDE}`))
  return names.map((name) => join(directory, name))
}

function freeName(wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`
    if (DATABASE_FILES.every((companion) => !existsSync(name + companion))) return name
  }
}
