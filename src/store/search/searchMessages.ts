/** What the daemon and the thread of the search index say to each other. The thread answers in the order it was asked. */
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { Answer } from '../thread/threadLink.ts'

export type SearchSetup = { readonly file: string; readonly maxBytes: number }

/** How far a run is indexed: lines before `indexed`. `isWhole`: there is nothing more to come. */
export type IndexedRun = {
  readonly run: RunId
  readonly terminal: TerminalId
  readonly indexed: number
  readonly isWhole: boolean
}

/** Lines of a run from `from` on, which take the place of whatever the index has from there on. Lines before `first` are gone. */
export type Batch = {
  readonly run: RunId
  readonly terminal: TerminalId
  readonly first: number
  readonly from: number
  readonly lines: readonly string[]
  /** When they were seen, in ms. */
  readonly at: number
  readonly isWhole: boolean
}

export type Lookup = {
  /** In the language of the index. */
  readonly match: string
  readonly runs: readonly RunId[]
  readonly since: number | null
  readonly until: number | null
  readonly limit: number
  /** Lines of context before and after each hit. */
  readonly context: number
}

export type Hit = {
  readonly run: RunId
  readonly number: number
  readonly at: number
  readonly line: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** What is to be gone from the file, not only from what is found. */
export type Purged = { readonly runs: readonly RunId[]; readonly terminals: readonly TerminalId[] }

export type SearchAsk =
  | { readonly kind: 'runs' }
  | { readonly kind: 'add'; readonly batch: Batch }
  | { readonly kind: 'forget'; readonly runs: readonly RunId[] }
  | { readonly kind: 'purge'; readonly purged: Purged }
  | { readonly kind: 'find'; readonly lookup: Lookup }
  /** Answered by a thread that lives and has its file. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }

export type SearchAnswers = {
  runs: readonly IndexedRun[]
  add: null
  forget: null
  purge: null
  /** Newest first. */
  find: readonly Hit[]
  ping: null
  close: null
}

export type ToSearch = { readonly id: number; readonly ask: SearchAsk }
export type FromSearch =
  | Answer
  /** The file was of no use and has been begun anew: nothing is indexed. The reason is null where there was none before. */
  | { readonly kind: 'begun'; readonly why: string | null }
