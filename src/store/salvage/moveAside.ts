/** Puts a damaged database out of the way, whole, so that a person or a later tool can still look into it. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DATABASE_FILES, publish, syncDirectory, writeWhole } from '../files.ts'
import { noTrip, type Trip } from '../trip.ts'

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

/** A note beside the database: that it is being replaced, and where the damaged one went. Gone when all is done. */

export type SalvageOrder = { readonly aside: string; readonly why: string }

const orderFile = (file: string): string => `${file}.salvage`

export function writeSalvageOrder(file: string, order: SalvageOrder, trip: Trip): void {
  const draft = `${orderFile(file)}-draft`
  // Without the directory: that may have been moved by the time it is read.
  writeWhole(draft, JSON.stringify({ ...order, aside: basename(order.aside) }))
  trip('salvage order written')
  publish(draft, orderFile(file))
  trip('salvage order published')
}

/** Null when there is none, or when it is none of ours: then nothing has moved yet, and the damage is found again. */
export function readSalvageOrder(file: string): SalvageOrder | null {
  if (!existsSync(orderFile(file))) return null
  try {
    const { aside, why } = JSON.parse(readFileSync(orderFile(file), 'utf8')) as Record<string, unknown>
    if (typeof aside !== 'string' || !aside.startsWith(`${basename(file)}.corrupt-`) || typeof why !== 'string') return null
    return { aside: join(dirname(file), basename(aside)), why }
  } catch {
    return null
  }
}

export function removeSalvageOrder(file: string): void {
  rmSync(orderFile(file), { force: true })
  syncDirectory(dirname(file))
}
