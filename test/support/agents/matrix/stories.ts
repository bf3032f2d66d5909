/** The columns of the matrix: what may happen to a terminal with an agent, and what must be true after it. */
import type { Story, StoryId } from './cell.ts'
import { failsToResume, isUpdated } from './installs.ts'
import { silentNeighbour, twoAtOnce } from './neighbours.ts'
import { isMoved, losesTranscript } from './places.ts'
import { keepsRestrictions } from './restrictions.ts'
import { compacts, crashes, losesDaemon, quits, sleeps, startsOver } from './resuming.ts'
import { showsStates } from './states.ts'
import { runsInWrapper } from './wrapper.ts'

export const STORIES: Readonly<Record<StoryId, Story>> = {
  sleep: { title: 'sleep, wake', run: sleeps },
  crash: { title: 'crash of everything', run: crashes },
  daemon: { title: 'daemon killed mid-turn', run: losesDaemon },
  silent: { title: 'a second one, not yet prompted', run: silentNeighbour },
  together: { title: 'two within a second', run: twoAtOnce },
  quit: { title: 'quit, then crash', run: quits },
  new: { title: 'new conversation, then crash', run: startsOver },
  compacted: { title: 'compacted, then crash', run: compacts },
  moved: { title: 'other directory, worktree', run: isMoved },
  wrapper: { title: 'in a sandbox', run: runsInWrapper },
  flags: { title: 'restricting flags', run: keepsRestrictions },
  states: { title: 'states', run: showsStates },
  fails: { title: 'resume fails', run: failsToResume },
  deleted: { title: 'transcript deleted', run: losesTranscript },
  updated: { title: 'agent updated', run: isUpdated },
}
