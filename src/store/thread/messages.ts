/** What the store and its worker thread say to each other. The worker answers in the order it was asked. */
import type { Refusal } from '../../base/refusal.ts'
import type { Deeds } from './deeds.ts'
import type { Reads } from './reads.ts'
import type { Answer } from './threadLink.ts'
import type { Write } from './writes.ts'

export type WorkerSetup = { readonly file: string; readonly now: number }

/** What a row of `READS` or `DEEDS` takes, besides the database. */
export type Given<Row> = Row extends (database: never, ...given: infer Rest) => unknown ? Rest : never

export type ToWorker =
  | { readonly kind: 'write'; readonly id: number; readonly writes: readonly Write[] }
  | { readonly kind: 'ask'; readonly id: number; readonly name: keyof Reads; readonly given: readonly unknown[] }
  | { readonly kind: 'act'; readonly id: number; readonly name: keyof Deeds; readonly given: readonly unknown[] }
  | { readonly kind: 'close'; readonly id: number }

export type FromWorker =
  /** Said first, once. After `refused` the thread ends. */
  | { readonly kind: 'opened'; readonly troubles: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** `value` is what the question asks for, what the deed gives, one outcome per write, or null for close. */
  | Answer
