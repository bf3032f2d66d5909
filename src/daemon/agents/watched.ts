/** What is remembered of one run between two looks. All of it can be learned again from the processes. */
import type { Agent, AgentProcess, Finding } from '../../agents/agent.ts'
import { SLACK_MS } from '../../agents/files.ts'
import type { Reports, StateTrack } from '../../agents/stateMerge.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { Wrapper } from '../../workspace/wrapper/wrapper.ts'
import type { Keyboard, ProcessName } from './processLook.ts'

export type Watched = {
  readonly terminal: TerminalId
  readonly run: RunId
  /** From when on its moves are seen. */
  readonly seenSince: number
  keyboard: Keyboard | null
  /** How often it is still to be looked at closely: it has just started, or just printed something. */
  closeLooks: number
  /** When it was last looked at closely; 0 before that. */
  lookedAt: number
  /** How often it was looked at since it last was closely. */
  fleetingLooks: number
  /** The root agent that was seen last, in front or stopped behind the shell. */
  agent: SeenAgent | null
  /** Since when the agent has been seen to be gone; null while it is there, or nobody could tell. */
  goneSince: number | null
  /** What a user was told already, so that nothing is said twice. */
  readonly said: Set<string>
  /** When a line was entered, the newest last: also before its agent was seen. */
  entered: readonly number[]
}

export type SeenAgent = {
  readonly agent: Agent
  process: AgentProcess
  own: readonly ProcessName[]
  /** What it was started in, seen when it came. */
  readonly wrapper: Wrapper
  isInFront: boolean
  /** The conversation that it has, as far as that is known. */
  bound: Finding | null
  /** The one that stands in the audit. */
  noted: string | null
  /** What its hook said last, and when. */
  hook: { readonly finding: Finding; readonly at: number } | null
  /** What stood on the screen already when it came: the words of another one that has left. */
  readonly oldHint: string | null
  reports: Reports
  track: StateTrack | null
  /** When somebody last typed into the terminal or came to look at it. */
  attendedAt: number | null
  /** The newest last. */
  moves: readonly Moved[]
  /** When agents of its kind ran inside it: what begins in that time may be theirs. */
  inside: readonly Span[]
}

/** When it was last given something to do. What is only seen at a look has been so for a while. */
export type Moved = { readonly at: number; readonly isExact: boolean }
export type Span = { readonly name: ProcessName; readonly from: number; readonly to: number }

/** What is older than this has long been decided. */
const MOST_MOVES = 50

export function moved(seen: SeenAgent, move: Moved): void {
  seen.moves = [...seen.moves, move].slice(-MOST_MOVES)
}

/** A line was entered: from now on the agent has something to do, also one that has not been seen yet. */
export function entered(watched: Watched, at: number): void {
  watched.entered = [...watched.entered, at].slice(-MOST_MOVES)
  if (watched.agent?.isInFront === true) moved(watched.agent, { at, isExact: true })
}

/** What was entered for an agent that is seen only now. */
export const movesSince = ({ entered: all }: Watched, startedAt: number): readonly Moved[] =>
  all.filter((at) => at >= startedAt).map((at) => ({ at, isExact: true }))

/** The last one before something began. */
export const lastMove = ({ moves }: SeenAgent, began: number): Moved | null => moves.findLast(({ at }) => at <= began + SLACK_MS) ?? null

/** When exactly it was given something to do, the newest last. */
export const enteredAt = ({ moves }: SeenAgent): readonly number[] => moves.flatMap(({ at, isExact }) => (isExact ? [at] : []))

/** Whether an agent inside may have begun it. */
export const mayBeInside = ({ inside }: SeenAgent, began: number): boolean =>
  inside.some(({ from, to }) => began >= from - SLACK_MS && began <= to + SLACK_MS)

/** What a program does at its start, or in answer to what was typed, shows in its processes and files a little later. */
export const CLOSE_LOOKS = 5
/** A change that nothing was printed about is seen within half a minute. */
export const CLOSE_AT_LEAST_EVERY = 30

/** Whether an agent may have come since it was last looked at, and have begun something. */
export const mayHaveMore = ({ closeLooks, lookedAt }: Watched, began: number): boolean => closeLooks === CLOSE_LOOKS && lookedAt < began

export const newWatched = (terminal: TerminalId, run: RunId, seenSince: number = Date.now()): Watched => ({
  ...{ terminal, run, seenSince, keyboard: null, agent: null, goneSince: null, said: new Set<string>(), entered: [] },
  closeLooks: CLOSE_LOOKS,
  lookedAt: 0,
  fleetingLooks: 0,
})

export const isSameKeyboard = (one: Keyboard | null, other: Keyboard): boolean =>
  one !== null &&
  one.group === other.group &&
  one.leader.pid === other.leader.pid &&
  one.leader.start === other.leader.start &&
  one.leader.name === other.leader.name

export const isSameProcess = (one: ProcessName, other: ProcessName): boolean => one.pid === other.pid && one.start === other.start
