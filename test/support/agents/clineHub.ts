import { endProcesses } from '../processes.ts'

/** Ends the background process that cline leaves, with a session of its own, when its last window has ended. */
export const endClineHub = (home: string): Promise<void> =>
  endProcesses(home, { isMeant: ({ command }) => command.includes('--cline-hub-daemon') })
