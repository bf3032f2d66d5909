import { DatabaseSync } from '@photostructure/sqlite'
import type { RestorePlanView } from '../../src/wire/checkpointView.ts'
import { isDaemon } from './daemon.ts'
import { json, run } from './holdfast.ts'
import { until } from './milestone.ts'
import { endProcesses } from './processes.ts'

type Where = { readonly path: string }

/** Pulls the plug: the daemon, the holders and their programs, as a power cut does. */
export async function powerCut(home: Where): Promise<void> {
  await endProcesses(home.path, { isMeant: isDaemon })
  await endProcesses(home.path)
}

/** An orderly end and a new start: both take a checkpoint. Returns the newest good one. */
export async function takeCheckpoint(home: Where): Promise<string> {
  await run(home, ['daemon', 'stop'])
  await run(home, ['daemon', 'start'])
  return await until(async () => (await json<RestorePlanView>(home, ['restore', '--plan'])).checkpoint.id, { what: 'a checkpoint' })
}

export type Applied = { readonly plan: RestorePlanView; readonly undo: string }

export const restore = (home: Where, ...args: readonly string[]): Promise<Applied> => json<Applied>(home, ['restore', '--yes', ...args])

/** What the database says, read beside a running daemon. */
export function query(home: Where, sql: string, ...values: string[]): Record<string, unknown>[] {
  const database = new DatabaseSync(`${home.path}/holdfast.db`)
  try {
    return database.prepare(sql).all(...values) as Record<string, unknown>[]
  } finally {
    database.close()
  }
}

export function change(home: Where, sql: string, ...values: string[]): void {
  const database = new DatabaseSync(`${home.path}/holdfast.db`)
  database.prepare(sql).run(...values)
  database.close()
}

export const topologyOf = (home: Where): unknown => JSON.parse(String(query(home, 'SELECT body FROM topology')[0]?.['body']))
