/** What a command costs the user: `holdfast ls` with a running daemon, next to a Node that does nothing. */
import { spawnSync } from 'node:child_process'
import { HOLDFAST, Holdfast } from '../lab/holdfast.mjs'
import { openMany } from './memory.mjs'

const TERMINALS = 8
const WARM_UPS = 2

export const limitS = 60

export async function measure(lab, { quick, say }) {
  const count = quick ? 20 : 40
  const holdfast = await Holdfast.start(lab)
  await openMany(holdfast, TERMINALS, ['sh'])
  say(`ls: ${count} times`)
  const runs = { holdfast: [], peer: [] }
  for (let round = -WARM_UPS; round < count; round += 1) {
    const times = { holdfast: time([HOLDFAST, 'ls'], holdfast.env), peer: time(['-e', '0'], holdfast.env) }
    if (round < 0) continue
    runs.holdfast.push(times.holdfast)
    runs.peer.push(times.peer)
  }
  return [{ figure: 'ls', label: `holdfast ls, ${TERMINALS} terminals`, unit: 'ms', peerName: 'node -e 0', ...runs }]
}

function time(args, env) {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ms = performance.now() - began
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return ms
}
