/** What the disk can do to the store, in words. SQLite's numbers and Node's codes end here. */
import { dirname } from 'node:path'
import { type Refusal, refusals } from '../base/refusal.ts'

/** `closed`: asked after close, or the thread has ended; `broken`: none of the others. */
export type FailureKind = 'full' | 'readOnly' | 'damaged' | 'held' | 'moved' | 'closed' | 'broken'

/** Plain data, because it crosses from the worker. */
export type Failure = { readonly kind: FailureKind; readonly message: string }

/** What a promise of the store rejects with. The store itself keeps working: retry when the cause is gone. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'
  readonly kind: FailureKind

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options)
    this.kind = failure.kind
  }
}

const PRIMARY_CODE = 0xff // an extended SQLite code holds the primary one in its low byte
const SHM_DOES_NOT_FIT = 4874 // SQLITE_IOERR_SHMSIZE: there was no room for the index of the WAL
const MOVED_AWAY = 1032 // SQLITE_READONLY_DBMOVED

const KIND_BY_SQLITE_CODE: Readonly<Record<number, FailureKind>> = {
  3: 'readOnly', // SQLITE_PERM
  5: 'held', // SQLITE_BUSY
  6: 'held', // SQLITE_LOCKED
  8: 'readOnly', // SQLITE_READONLY
  11: 'damaged', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  26: 'damaged', // SQLITE_NOTADB
}

const KIND_BY_ERRNO: Readonly<Record<string, FailureKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'readOnly',
  EACCES: 'readOnly',
  EPERM: 'readOnly',
}

const SENTENCE: Readonly<Record<FailureKind, string>> = {
  full: 'the disk is full',
  readOnly: 'it may not be written',
  damaged: 'the database is damaged',
  held: 'another program holds the database',
  moved: 'the database was moved or deleted while it was open',
  closed: 'the store is closed',
  broken: 'the database failed',
}

export const failureOf = (kind: FailureKind, detail?: string): Failure => ({
  kind,
  message: detail === undefined ? SENTENCE[kind] : `${SENTENCE[kind]} (${detail})`,
})

export function explain(error: unknown): Failure {
  if (error instanceof StoreFailure) return { kind: error.kind, message: error.message }
  const { errcode, code, message } = error as { errcode?: unknown; code?: unknown; message?: unknown }
  return failureOf(kindOf(errcode, code), typeof message === 'string' ? message : String(error))
}

function kindOf(errcode: unknown, code: unknown): FailureKind {
  if (typeof errcode !== 'number') return KIND_BY_ERRNO[String(code)] ?? 'broken'
  if (errcode === SHM_DOES_NOT_FIT) return 'full'
  if (errcode === MOVED_AWAY) return 'moved'
  return KIND_BY_SQLITE_CODE[errcode & PRIMARY_CODE] ?? 'broken'
}

/** What a failure to open becomes for the user. */
export const refusalOf = (file: string, { kind, message }: Failure): Refusal =>
  kind === 'full' ? refusals.diskFailed(`${file}: ${message}`) : refusals.homeUnusable(dirname(file), message)
