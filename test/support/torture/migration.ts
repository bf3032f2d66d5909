/** A database of an earlier version is opened by a daemon that dies meanwhile; the next one must find everything in it. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeHome } from '../home.ts'
import { Instance } from './instance.ts'
import { faultsAfterCrash, faultsAtRest, quietSight } from './invariants.ts'
import { emptyModel } from './model.ts'
import type { Random } from './random.ts'
import { MIGRATION_POINTS, passesOf } from './tripPoints.ts'

type Frozen = {
  readonly terminals: readonly { readonly id: string; readonly name: string | null; readonly then?: string }[]
  readonly topology: { readonly dock: readonly string[] }
}

const frozen = (name: string): string => fileURLToPath(new URL(`../../fixtures/databases/${name}`, import.meta.url))

export async function migrationRound(
  random: Random,
  config: string,
): Promise<{ readonly faults: readonly string[]; readonly where: string }> {
  await using home = makeHome()
  const version = random.pick(['v1', 'v2', 'v3']) ?? 'v1'
  const point = random.pick(MIGRATION_POINTS) ?? ''
  writeFileSync(join(home.path, 'config.toml'), config)
  copyFileSync(frozen(`${version}.db`), join(home.path, 'holdfast.db'))
  const armed = new Instance(home, { trip: `${point}#${1 + random.below(Math.min(3, passesOf(point)))}` })
  const isUp = await armed.isUp()
  if (isUp) await armed.client?.request('terminal.list', {})
  const isReached = armed.isOver
  await armed.kill()
  const faults = [...(await faultsAfterCrash(home))]
  const next = new Instance(home)
  if (!(await next.isUp()) || next.client === null)
    return { faults: [...faults, `no daemon starts any more: ${next.errors}`], where: point }
  const sight = await quietSight(home, next.client)
  const { terminals, topology } = JSON.parse(readFileSync(frozen(`${version}.json`), 'utf8')) as Frozen
  // All but the first name the machine that they were frozen on: they are taken for a copy from there, in which no close is finished.
  const isCopy = version !== 'v1'
  const wanted = terminals.filter(({ then }) => isCopy || then !== 'close').map(({ id, name }) => `${id} ${name}`)
  const found = sight.terminals.map(({ id, name }) => `${id} ${name}`)
  if ([...wanted].sort().join() !== [...found].sort().join())
    faults.push(`${version} had ${wanted.join(', ')}; found are ${found.join(', ')}`)
  const dock = topology.dock.filter((id) => wanted.some((each) => each.startsWith(id)))
  if (dock.join() !== sight.terminals.map(({ id }) => id).join()) faults.push(`${version} had the dock ${dock.join()}`)
  const atRest = await faultsAtRest(home, next.client, { model: emptyModel(), sight, killedAt: Date.now(), powerWasCut: false })
  faults.push(...atRest.filter((fault) => !(isCopy && fault.startsWith('This state directory was copied from lab:'))))
  await next.kill()
  return { faults, where: `${version}: ${isReached ? point : `after ${point}, which was not reached`}` }
}
