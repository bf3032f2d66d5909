import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { makeHome } from '../support/home.ts'
import { endAudit } from '../support/torture/auditor.ts'
import { migrationRound } from '../support/torture/migration.ts'
import { PowerCut } from '../support/torture/powerCut.ts'
import { type Random, randomFrom } from '../support/torture/random.ts'
import { type Kind, Torture } from '../support/torture/torture.ts'

/**
 * Daemon, holders or both are killed at random points of whatever they do; after each time everything that was promised
 * is there, nothing is there twice, and the database is sound. `npm run torture` makes it longer.
 */
const seed = Number(process.env['TORTURE_SEED'] ?? Date.now() % 1_000_000_000)
const rounds = Number(process.env['TORTURE_ROUNDS'] ?? 60)
const seconds = Number(process.env['TORTURE_SECONDS'] ?? 15)
/** Kinds of rounds by name, such as `power,trip`; all of them when it is not set. */
const kinds = process.env['TORTURE_KINDS']?.split(',')
const CONFIG = 'settle_ms = 1000\nsnapshot_interval_s = 1\n[web]\nenabled = false\n'

type Deck = { readonly kind: Kind | 'migrate'; readonly weight: number }
const DECK: readonly Deck[] = [
  { kind: 'trip', weight: 9 },
  { kind: 'moment', weight: 4 },
  { kind: 'both', weight: 3 },
  { kind: 'holders', weight: 2 },
  { kind: 'stop', weight: 2 },
  { kind: 'power', weight: 2 },
  { kind: 'migrate', weight: 1 },
]

function draw(random: Random, deck: readonly Deck[]): Kind | 'migrate' {
  return random.pick(deck.flatMap(({ kind, weight }) => Array<Kind | 'migrate'>(weight).fill(kind))) ?? 'trip'
}

test(`whoever is killed, whenever, costs nothing that was promised (seed ${seed})`, {
  timeout: seconds * 1_000 + 120_000,
}, async () => {
  const random = randomFrom(seed)
  const obstacle = PowerCut.obstacle()
  const deck = DECK.filter(({ kind }) => (kind !== 'power' || obstacle === null) && (kinds?.includes(kind) ?? true))
  console.info(`torture: seed ${seed}, up to ${rounds} rounds in ${seconds} s${obstacle === null ? '' : `; no power cuts: ${obstacle}`}`)
  const home = makeHome()
  writeFileSync(join(home.path, 'config.toml'), CONFIG)
  const torture = new Torture(home, random)
  const tally = new Map<string, number>()
  const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)
  const startedAt = performance.now()
  let done = 0
  try {
    await torture.begin()
    for (; done < rounds && performance.now() - startedAt < seconds * 1_000; done += 1) {
      const kind = draw(random, deck)
      const { faults, where, asked } = await playRound(kind, torture, random)
      if (done % 50 === 49) console.info(`torture: ${done + 1} rounds so far`)
      count(`${kind}`)
      count(`${kind}: ${where}`)
      expect(faults, `TORTURE_SEED=${seed}, round ${done + 1}: ${kind}, ${where}, after\n${asked.join('\n')}\n`).toEqual([])
    }
    await torture.finish()
  } catch (error) {
    await home.sweep()
    throw error
  } finally {
    await endAudit()
  }
  await home.dispose()
  const spent = (performance.now() - startedAt) / 1_000
  console.info(`torture: ${done} rounds in ${spent.toFixed(0)} s, all well; seed ${seed}`)
  console.info(
    [...tally]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, times]) => `${String(times).padStart(5)} ${what}`)
      .join('\n'),
  )
})

type Played = { readonly faults: readonly string[]; readonly where: string; readonly asked: readonly string[] }

async function playRound(kind: Kind | 'migrate', torture: Torture, random: Random): Promise<Played> {
  if (kind === 'migrate') return { ...(await migrationRound(random, CONFIG)), asked: [] }
  const { faults, account } = await torture.round(kind)
  return { faults, where: account.where, asked: account.asked }
}
