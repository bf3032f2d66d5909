/** What must hold whenever a daemon is up and nothing is under way. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result } from '../../../src/base/refusal.ts'
import type { DaemonClient } from '../../../src/client/daemonClient.ts'
import { ownerOf } from '../../../src/daemon/terminals/closedRuns.ts'
import { holdersOf, programsOf } from '../daemon.ts'
import { until } from '../milestone.ts'
import type { TerminalRow } from '../terminalView.ts'
import { audit } from './auditor.ts'
import type { Fate, Model, Seen, Sight } from './model.ts'

type Home = { readonly path: string }
/** Strays are looked for up to ten seconds after a start, and a holder whose exit nobody took stays a moment. */
const QUIET_WITHIN_MS = 25_000
/** A log is flushed in a tenth of a second and synced in one; the rest is a busy machine's. */
const ON_DISK_AFTER_MS = 2_500
/** A directory without a card may be a holder's that is just starting. */
const CARDLESS_FOR_MS = 100_000

async function answered<Value>(answer: Promise<Result<{ readonly result: Value }>>): Promise<Value> {
  const given = await answer
  if (!given.ok) throw new Error(given.refusal.message)
  return given.value.result
}

/** Waits until everybody is live or asleep, and the processes are those of the live ones. */
export async function quietSight(home: Home, client: DaemonClient): Promise<Sight> {
  const pids = (values: readonly (number | null)[]): string => [...values].sort().join()
  const views = await until(
    async () => {
      const listed = await answered(client.request('terminal.list', {}))
      const live = listed.filter((terminal) => terminal.state === 'live')
      const held = pids(holdersOf(home).map(({ pid }) => pid))
      const running = pids(programsOf(home).map(({ pid }) => pid))
      const fault =
        listed.find(({ state }) => state !== 'live' && state !== 'asleep')?.state ??
        live.find(({ trouble }) => trouble !== null)?.trouble ??
        (held === pids(live.map(({ holderPid }) => holderPid))
          ? null
          : `holders ${held}, terminals ${pids(live.map((each) => each.holderPid))}`) ??
        (running === pids(live.map(({ pid }) => pid)) ? null : `programs ${running}, terminals ${pids(live.map((each) => each.pid))}`)
      if (fault !== null) throw new Error(fault)
      return listed
    },
    { what: 'all terminals to be live or asleep, with the processes of the live ones and no others', timeoutMs: QUIET_WITHIN_MS },
  )
  const workspaces = await answered(client.request('workspace.list', {}))
  const placeOf = (id: string): string => workspaces.find(({ terminals }) => terminals.includes(id))?.id ?? 'nowhere'
  return {
    workspaces,
    terminals: views.map((view): Seen => ({ id: view.id, name: view.name, run: view.run, fate: fateOf(view), place: placeOf(view.id) })),
  }
}

const fateOf = ({ because }: TerminalRow): Fate => because?.kind ?? 'live'

/** `powerWasCut`: of a log only what was synced in time is owed. */
type Rest = { readonly model: Model; readonly sight: Sight; readonly killedAt: number; readonly powerWasCut: boolean }

/** The registry, the database, the files and the screens tell one story. */
export async function faultsAtRest(home: Home, client: DaemonClient, rest: Rest) {
  const { model, sight } = rest
  const { troubles } = await answered(client.request('daemon.status', {}))
  const closed = (await answered(client.request('terminal.closed', {}))).map(({ id }) => id)
  const live = sight.terminals.flatMap(({ id, fate }) => (fate === 'live' ? [id] : []))
  const leftovers = await lastingLeftovers(home, { closed, live })
  return [
    ...troubles.filter((trouble) => !isOfTornLog(model, trouble)),
    ...(await lastingDatabaseFaults(home, sight)),
    ...leftovers.map((name) => `${name} is left over`),
    ...(await checkpointFaults(client, model)),
    ...(await screenFaults(client, rest)),
  ]
}

const isOfTornLog = ({ terminals }: Model, trouble: string): boolean =>
  terminals.some(({ id, run, torn }) => torn !== null && torn === run && trouble.startsWith(`${id}:`))

/** A terminal is shown as it will be a moment before that is written. */
async function lastingDatabaseFaults(home: Home, sight: Sight): Promise<readonly string[]> {
  let faults: readonly string[] = []
  const isSound = async (): Promise<boolean> => {
    faults = await databaseFaults(home, sight)
    return faults.length === 0
  }
  await until(isSound, { what: 'the database to be sound', timeoutMs: 3_000 }).catch(() => undefined)
  return faults
}

async function databaseFaults(home: Home, { terminals }: Sight): Promise<readonly string[]> {
  const audited = await audit({ file: join(home.path, 'holdfast.db'), isAtRest: true })
  const named = (each: readonly { readonly id: string; readonly name: string | null }[]): string =>
    Array.from(each, ({ id, name }) => `${id} ${name}`)
      .sort()
      .join(', ')
  const [kept, shown] = [named(audited.terminals ?? []), named(terminals)]
  return [...audited.faults, ...(kept === shown ? [] : [`records and registry differ: ${kept} and ${shown}`])]
}

/** Far fewer than retention leaves of those that were asked for. */
const CHECKPOINTS_LOOKED_FOR = 20

async function checkpointFaults(client: DaemonClient, { checkpoints }: Model): Promise<string[]> {
  const kept = new Set((await answered(client.request('checkpoint.list', {}))).map(({ id }) => id))
  return checkpoints.slice(-CHECKPOINTS_LOOKED_FOR).flatMap((id) => (kept.has(id) ? [] : [`checkpoint ${id} was promised and is gone`]))
}

/** What was seen on a screen, long enough before the kill to be on disk, is seen again. */
async function screenFaults(client: DaemonClient, { model, killedAt, powerWasCut }: Rest): Promise<string[]> {
  const faults = await Promise.all(
    model.terminals.map(async (expected) => {
      const { id, run, token, shown } = expected
      if (id === null || run === null) return []
      const answer = await client.request('terminal.read', { terminal: id, history: 'all', format: 'text' })
      const isDue = shown !== null && shown.run === run && shown.at < killedAt - ON_DISK_AFTER_MS
      const isDamaged = !answer.ok || answer.value.result.faults.length > 0
      if (isDamaged && powerWasCut && !isDue) expected.torn = run
      if (expected.torn === run) return []
      if (!answer.ok) return [`the screen of ${id} cannot be read: ${answer.refusal.message}`]
      const { content, faults: lost } = answer.value.result
      const isShown = content.includes(token)
      if (isShown) expected.shown = { run, at: shown?.run === run ? shown.at : Date.now() }
      else expected.shown = null // it was not on disk yet: what is gone is not owed any more
      return [
        ...lost.map((fault) => `${id}: ${fault}`),
        ...(isDue && !isShown ? [`${id} does not show ${token} any more, but ${JSON.stringify(content.slice(-200))}`] : []),
      ]
    }),
  )
  return faults.flat()
}

/** The database as the crash left it, opened somewhere else: it must be sound before any daemon has tidied it. */
export async function faultsAfterCrash(home: Home): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'copy-'))
  const file = join(folder, 'holdfast.db')
  try {
    for (const ending of ['', '-wal'])
      if (existsSync(join(home.path, `holdfast.db${ending}`))) copyFileSync(join(home.path, `holdfast.db${ending}`), file + ending)
    if (!existsSync(file) || statSync(file).size === 0) return []
    return (await audit({ file, isAtRest: false })).faults
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const EXPECTED = [
  /^((holdfast|search)\.db(-wal|-shm)?|lock\.db(-journal)?|config\.toml|daemon\.json)$/,
  /^logs\/[a-z-]+\.log(\.\d+)?$/,
  /^sockets\/(daemon|r[0-9a-z]{10})\.sock$/,
  /^checkpoints\/(latest|previous)\.json$/,
  /^runs\/r[0-9a-z]{10}(\.closed)?\/(holder\.json|before\.json|\d+\.log|[\d-]+\.anchor)$/,
]

type Owners = { readonly closed: readonly string[]; readonly live: readonly string[] }

/** A draft that is being written is none. */
const lastingLeftovers = (home: Home, owners: Owners): Promise<string[]> =>
  until(() => leftoversIn(home, owners).length === 0, { what: 'leftovers to go', timeoutMs: 5_000 }).then(
    () => [],
    () => leftoversIn(home, owners),
  )

/** What was closed waits under another name, as long as it can be brought back. */
function leftoversIn({ path }: Home, { closed, live }: Owners): string[] {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
  const runs = readdirSync(join(path, 'runs'))
  // A holder that dies while it signs leaves its draft in a directory that goes as a whole.
  const isUnsigned = (name: string): boolean => name.endsWith('/holder.json.new') && !existsSync(join(path, name.slice(0, -'.new'.length)))
  const isWaiting = (run: string): boolean => closed.includes(ownerOf(join(path, 'runs', run)))
  const isForgotten = (run: string): boolean =>
    !existsSync(join(path, 'runs', run, 'holder.json')) && ageOf(join(path, 'runs', run)) > CARDLESS_FOR_MS
  const isSocketOfLive = (name: string): boolean => live.some((id) => name === `sockets/${id}/sock`)
  return [
    ...files.filter((name) => !EXPECTED.some((known) => known.test(name)) && !isUnsigned(name) && !isSocketOfLive(name)),
    ...runs
      .filter((run) => run.endsWith('.removed') || (run.endsWith('.closed') && !isWaiting(run)) || isForgotten(run))
      .map((run) => `runs/${run}`),
  ]
}

const ageOf = (path: string): number => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
