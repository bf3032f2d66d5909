/**
 * Looks into databases from outside, in a thread of its own: closing them is sure when it ends. Answers for each with
 * sentences about what is wrong in it, and with what it says of terminals.
 */
import { dirname } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { decodeTerminal, decodeTopology } from '../../../build/store/record.js'
import { loadCheckpoint, summariesOf } from '../../../build/store/rows/checkpointRows.js'
import { newestGood } from '../../../build/store/rows/keepCheckpoint.js'
import { LADDER } from '../../../build/store/rows/migrations.js'
import { mirrorOf, readMirror } from '../../../build/store/salvage/mirror.js'
import { loadSqlite } from '../../../build/store/sqlite.js'
import { READS } from '../../../build/store/thread/reads.js'
import { tilesOf } from '../../../build/workspace/layout/canvas.js'
import { terminalsOf } from '../../../build/workspace/layout/layout.js'
import { layoutFault } from '../../../build/workspace/layout/normalForm.js'
import { workspacesOf } from '../../../build/workspace/layout/topology.js'

/** So many of the newest are read: all those that the last rounds can have touched. */
const CHECKPOINTS = 25
const sqlite = await loadSqlite()
parentPort.on('message', ({ file, isAtRest }) => parentPort.postMessage(audited(file, isAtRest)))

function audited(file, isAtRest) {
  try {
    return audit(file, isAtRest)
  } catch (error) {
    return { faults: [`${file} cannot be audited: ${error.stack}`] }
  }
}

/** At rest, records and topology agree; after a crash they may not until the next start. */
function audit(file, isAtRest) {
  const database = sqlite.open(file, { readOnly: isAtRest })
  const faults = []
  const expect = (holds, fault) => holds || faults.push(fault)
  try {
    for (const row of database.all('PRAGMA integrity_check')) expect(row.integrity_check === 'ok', `integrity: ${row.integrity_check}`)
    for (const row of database.all('PRAGMA foreign_key_check')) faults.push(`foreign key: ${JSON.stringify(row)}`)
    const version = database.get('PRAGMA user_version').user_version
    if (version < LADDER.length) return isAtRest ? { faults: [`it has version ${version}`] } : { faults }
    const terminals = terminalsIn(database, faults)
    const topology = topologyIn(database, faults)
    if (isAtRest)
      faults.push(
        ...placeFaults(
          topology,
          terminals.map(({ id }) => id),
        ),
      )
    if (isAtRest && topology !== null) faults.push(...tileFaults(topology))
    for (const { run } of terminals) if (run !== null) expect(canRead(database, run), `the picture of run ${run} cannot be read`)
    const shared = 'SELECT screen FROM checkpoint_terminals WHERE screen IS NOT NULL UNION SELECT blob FROM snapshots'
    const { loose } = database.get(`SELECT count(*) AS loose FROM blobs WHERE hash NOT IN (${shared})`)
    expect(loose === 0, `${loose} screens belong to nobody`)
    faults.push(...checkpointFaults(database))
    if (isAtRest) faults.push(...readMirror(mirrorOf(file)).troubles)
    return { faults: faults.map((fault) => `${dirname(file)}: ${fault}`), terminals }
  } finally {
    database.close()
  }
}

function terminalsIn(database, faults) {
  const terminals = READS.records(database).flatMap(({ id, record }) => {
    const decoded = decodeTerminal(id, record)
    if (!decoded.ok) faults.push(`the record of ${id} cannot be decoded: ${decoded.why}`)
    return decoded.ok ? [decoded.value] : []
  })
  const twice = (values) => values.filter((value, index) => value !== null && values.indexOf(value) !== index)
  for (const name of twice(terminals.map(({ name }) => name))) faults.push(`two terminals are called ${name}`)
  for (const run of twice(terminals.map(({ lastRun }) => lastRun))) faults.push(`two terminals have run ${run}`)
  return terminals.map(({ id, name, state, lastRun }) => ({ id, name, state, run: lastRun }))
}

function topologyIn(database, faults) {
  const body = READS.topology(database)
  const decoded = body === null ? null : decodeTopology(body)
  if (decoded?.ok === false) faults.push(`the topology cannot be decoded: ${decoded.why}`)
  return decoded?.ok ? decoded.value : null
}

/** Every terminal in exactly one slot and once in the dock, and nobody else. */
function placeFaults(topology, ids) {
  if (topology === null) return ids.length === 0 ? [] : ['there is no topology']
  const workspaces = workspacesOf(topology)
  const wanted = [...ids].sort().join()
  const placed = workspaces.flatMap(({ layout }) => terminalsOf(layout))
  const same = (what, found) => (found.sort().join() === wanted ? [] : [`${what} has ${found.join()}, the records ${wanted}`])
  const unique = (what, found) => (new Set(found).size === found.length ? [] : [`${what} twice: ${found.join()}`])
  const faultOf = ({ id, layout }) => (layoutFault(layout) === null ? [] : [`workspace ${id}: ${layoutFault(layout)}`])
  return [
    ...same('the layout', placed),
    ...same('the dock', [...topology.dock]),
    ...workspaces.flatMap(faultOf),
    ...unique(
      'workspace',
      Array.from(workspaces, ({ id }) => id),
    ),
    ...unique(
      'name of a workspace',
      Array.from(workspaces, ({ name }) => name),
    ),
  ]
}

/** A tile for each slot. Asked only of what is there now: a checkpoint of an earlier version may have fewer. */
function tileFaults(topology) {
  const sorted = (ids) => [...ids].sort().join()
  const differing = workspacesOf(topology).filter(({ layout, canvas }) => sorted(terminalsOf(layout)) !== sorted(tilesOf(canvas)))
  return differing.map(({ id }) => `workspace ${id}: canvas and layout differ`)
}

function canRead(database, run) {
  try {
    READS.snapshot(database, run)
    return true
  } catch {
    return false
  }
}

function checkpointFaults(database) {
  const newest = summariesOf(database).slice(0, CHECKPOINTS)
  const broken = newest.flatMap(({ id }) => {
    const loaded = loadCheckpoint(database, id)
    return loaded?.ok ? [] : [`checkpoint ${id}: ${loaded?.why ?? 'it is gone'}`]
  })
  const { checkpoint } = newestGood(database, null)
  if (checkpoint === null) return broken
  const faults = placeFaults(
    checkpoint.topology,
    checkpoint.terminals.map(({ terminal }) => terminal.id),
  )
  return [...broken, ...faults.map((fault) => `checkpoint ${checkpoint.id}: ${fault}`)]
}
