import process from 'node:process'
import { resumesInside, sandboxObstacle, WRAPPINGS } from '../wrapped.ts'
import type { Cell } from './cell.ts'

/** Resumed inside the sandbox that a function of the shell has put around it; where the kernel allows none, inside `env`. */
export async function runsInWrapper({ bench, agent, habits, note }: Cell): Promise<void> {
  const obstacle = sandboxObstacle()
  if (obstacle !== null) process.stderr.write(`• without bubblewrap: ${obstacle}\n`)
  if (obstacle !== null) note('only in `env`: there is no bubblewrap here')
  const wrapping = obstacle === null ? WRAPPINGS['a shell function'] : WRAPPINGS.env
  await resumesInside(bench, wrapping, { agent, args: habits.always, name: 'wrapped', wakes: 2 })
}
