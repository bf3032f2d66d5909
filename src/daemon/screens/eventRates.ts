/**
 * How often what a program prints may cause something outside its screen thread. Every kind of event has a row here: the compiler
 * demands it of a new one. What comes faster is coalesced: the last value wins, the others are counted as dropped.
 *
 * Whatever is not listed causes nothing: progress bars, clipboard writes and requests to resize the window change at most the
 * screen's own state. Palettes are state too; questions about them are replies.
 */
import type { ScreenEvent } from '../../screen/events.ts'

/** It leaves the thread at most once in `everyMs` for each run. The first after a pause goes at once, the last one always goes. */
export type Coalesced = { readonly everyMs: number; readonly why: string }
/** Nothing outside the thread listens to it. A listener must give it a rate first. */
export type Inside = { readonly everyMs: null; readonly why: string }
/** Each one counts, so the last value cannot stand for the others: what is beyond the allowance is dropped. */
export type Allowed = { readonly burst: number; readonly perSecond: number; readonly why: string }

const SHELL: Inside = { everyMs: null, why: 'prompt marks are read with the screen; nothing follows them one by one' }

export const EVENT_RATES = {
  title: { everyMs: 100, why: 'spinners turn ten times a second; each title is a step, an announcement to every client and a row drawn' },
  cwd: { everyMs: 500, why: 'each new directory looks at the process and its repository, and makes a checkpoint due' },
  status: { everyMs: 100, why: 'each is a new state of the agent, announced to every client' },
  bell: { everyMs: 1_000, why: 'a client that looks at the terminal takes each mark away again: a write and an event for each bell' },
  notification: { everyMs: null, why: 'not passed on: the page notifies of agents and endings only' },
  prompt: SHELL,
  commandInput: SHELL,
  commandLine: SHELL,
  commandStarted: SHELL,
  commandEnded: SHELL,
  link: { everyMs: null, why: 'links are read with the lines they stand in' },
  fault: { everyMs: null, why: 'the screen repairs itself' },
} as const satisfies Record<ScreenEvent['kind'], Coalesced | Inside>

type Rates = typeof EVENT_RATES
/** The kinds that leave the thread. */
export type LeavingKind = { [Kind in keyof Rates]: Rates[Kind] extends Coalesced ? Kind : never }[keyof Rates]

/** Answers to a program's questions (device, cursor, colors), typed into its input by the holder. */
export const REPLY_RATE: Allowed = {
  burst: 2_000,
  perSecond: 1_000,
  why: 'a program that waits for each answer asks at most some hundred times a second; a file of questions asks millions of times',
}

/** Strings, bells and window requests, whatever they say. A screen that reads more of them rests as `floodPace.ts` says. */
export const ASIDE_RATE: Allowed = {
  burst: 10_000,
  perSecond: 200,
  why: 'a listing with a link for each of some thousand files is read at once; a file of titles is a flood',
}

/** That a run has printed something, for the index, agents and repositories: one message a second for all runs of a thread. */
export const PRINTED_RATE: Coalesced = { everyMs: 1_000, why: 'each is a look at the lines, the agent and the repository' }

export type DroppedKind = LeavingKind | 'reply'
export type Dropped = Partial<Record<DroppedKind, number>>
