/** A note beside the database: that it is being replaced, and where the damaged one went. Gone when all is done. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { publish, syncDirectory, writeWhole } from './files.ts'
import type { Trip } from './trip.ts'

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
