import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from './holdfast.ts'
import { type Home, makeHome } from './home.ts'
import { until } from './milestone.ts'

export type ListedCheckpoint = {
  readonly id: string
  readonly at: number
  readonly kind: string
  readonly note: string | null
  readonly knownGood: boolean
  readonly terminalCount: number
  readonly stateHash: string
}
export type ShownCheckpoint = ListedCheckpoint & {
  readonly terminals: readonly {
    readonly id: string
    readonly name: string | null
    readonly state: string
    readonly cwd: string | null
    readonly env: Readonly<Record<string, string>>
    readonly setEnv: Readonly<Record<string, string>>
    readonly screen: { readonly hash: string } | null
  }[]
}

/** A home whose daemon keeps screens every second; the rest of `[checkpoints]` as given. */
export function makeCheckpointHome(pace: Readonly<Record<string, number>> = {}): Home {
  const home = makeHome()
  const lines = Object.entries({ interval_s: 3_600, debounce_ms: 50, ...pace }).map(([key, value]) => `${key} = ${value}`)
  writeFileSync(join(home.path, 'config.toml'), `snapshot_interval_s = 1\n[web]\nport = 0\n[checkpoints]\n${lines.join('\n')}\n`)
  return home
}

export const checkpoints = (home: Home): Promise<ListedCheckpoint[]> => json<ListedCheckpoint[]>(home, ['checkpoint', 'ls'])
export const shown = (home: Home, ref: string): Promise<ShownCheckpoint> => json<ShownCheckpoint>(home, ['checkpoint', 'show', ref])

/** Waits for a checkpoint that fits, among those that are there now. */
export const untilCheckpoint = (home: Home, what: string, fits: (checkpoint: ListedCheckpoint) => boolean): Promise<ListedCheckpoint> =>
  until(async () => (await checkpoints(home)).find(fits), { what, timeoutMs: 15_000 })

/** Waits until the newest checkpoint fits, by what is in it. A terminal's start alone may make two: one while it starts, one when it is live. */
export const untilShown = (home: Home, what: string, fits: (checkpoint: ShownCheckpoint) => boolean): Promise<ShownCheckpoint> =>
  until(
    async () => {
      const latest = await shown(home, 'latest')
      return fits(latest) && latest
    },
    { what, timeoutMs: 15_000 },
  )
