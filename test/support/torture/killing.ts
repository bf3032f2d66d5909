/** Ends the processes of a home by their pids, until none is left: one that is being started counts too. */
import { endProcesses, processesMentioning, type SeenProcess } from '../processes.ts'

type Home = { readonly path: string }

const isTracer = ({ command }: SeenProcess): boolean => command.startsWith('strace')
const isDaemon = (seen: SeenProcess): boolean => /holdfast-daemon|daemon\/main\.js/.test(seen.command) && !isTracer(seen)
const isHolder = (seen: SeenProcess): boolean => /holdfast-holder|holder\/main\.js/.test(seen.command) && !isTracer(seen)

export const holdersOf = (home: Home): SeenProcess[] => processesMentioning(home.path).filter(isHolder)

/** Daemon and holders, all at once. */
export async function killEverything(home: Home): Promise<void> {
  await endProcesses(home.path, { isMeant: (seen) => isHolder(seen) || isDaemon(seen) })
}
