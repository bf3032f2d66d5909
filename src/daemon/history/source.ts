/** Where a run's output is read from, and the entries (bytes, resizes, gaps) that either source has from a seq up to now. */
import { readdir } from 'node:fs/promises'
import { linkHolder } from '../../client/holderLink.ts'
import type { FromHolder } from '../../wire/holder.ts'
import { type LogRecord, segmentSeq } from '../../wire/log.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import { inPieces, type RunLogFiles, readRunLog } from './runLog.ts'

/** A running holder, or the log that a holder left on disk. */
export type Source = { readonly kind: 'holder'; readonly socketPath: string } | { readonly kind: 'disk'; readonly directory: string }

export type OldEntry =
  /** The size in force from here on. `seq` is that of the next byte. */
  | { readonly kind: 'size'; readonly seq: number; readonly size: Size }
  | { readonly kind: 'output'; readonly seq: number; readonly bytes: Uint8Array }
  /** Bytes up to `seq` are missing. */
  | { readonly kind: 'gap'; readonly seq: number; readonly size: Size }

const WINDOW_BYTES = 256 << 10 // parsed in some five milliseconds: the holder's answer is on its way meanwhile
const PIECE_BYTES = 256 << 10

export const oldEntries = (run: string, source: Source, from: number): AsyncIterable<OldEntry> | Iterable<OldEntry> =>
  source.kind === 'holder' ? entriesOfHolder(source.socketPath, from) : entriesOnDisk({ run, directory: source.directory }, from)

async function* entriesOfHolder(socketPath: string, from: number): AsyncGenerator<OldEntry> {
  const arrived: FromHolder[] = []
  let wake: () => void = () => undefined
  let closed: string | null = null
  const linking = await linkHolder({
    socketPath,
    who: 'history',
    handlers: {
      message: (message) => {
        arrived.push(message)
        wake()
      },
      closed: (why) => {
        closed = why
        wake()
      },
    },
  })
  if (linking.kind !== 'linked') throw new Error(linking.kind === 'unreachable' ? linking.why : `its holder speaks ${linking.speaks}`)
  const { link } = linking
  try {
    link.send({ kind: 'subscribe', subscribe: { from, window: WINDOW_BYTES, follow: false } })
    while (true) {
      const message = arrived.shift()
      if (message === undefined) {
        if (closed !== null) throw new Error(closed)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else if (message.kind === 'caughtUp') return
      else {
        const entry = entryOf(message)
        if (entry !== null) yield entry
        if (message.kind === 'output') link.send({ kind: 'ack', bytes: message.bytes.length })
      }
    }
  } finally {
    link.close()
  }
}

/** Null for a message that is no entry. */
export function entryOf(message: FromHolder): OldEntry | null {
  switch (message.kind) {
    case 'subscribed':
      return { kind: 'size', seq: message.from, size: message.size }
    case 'resized':
      return { kind: 'size', seq: message.seq, size: message.size }
    case 'gap':
      return { kind: 'gap', seq: message.to, size: message.size }
    case 'output':
      return message
    case 'hello':
    case 'status':
    case 'caughtUp':
    case 'exited':
      return null
  }
}

function* entriesOnDisk(place: RunLogFiles, from: number): Generator<OldEntry> {
  for (const entry of logEntries(readRunLog(place).records, { from, pieceBytes: PIECE_BYTES })) if (entry.kind !== 'exited') yield entry
}

/** What the records of a log say from a seq on, with output in pieces. Bytes that do not follow each other are never joined. */
export function* logEntries(
  records: readonly LogRecord[],
  { from, pieceBytes }: { readonly from: number; readonly pieceBytes: number },
): Generator<OldEntry | { readonly kind: 'exited' }> {
  // Of the sizes at that seq only the last counts: what is shown there has been through the others.
  const begin = records.findLast((record) => record.seq === from && 'size' in record)
  let position = from
  for (const record of inPieces(records, pieceBytes)) {
    if (record.kind === 'exit') yield { kind: 'exited' }
    else if (record.kind === 'output') {
      if (record.seq + record.bytes.length > position) yield record
      position = Math.max(position, record.seq + record.bytes.length)
    } else if (record.seq > position) {
      yield { kind: 'gap', seq: record.seq, size: record.size }
      position = record.seq
    } else if (record === begin || (record.seq === position && position > from)) {
      yield { kind: 'size', seq: record.seq, size: record.size }
    }
  }
}

/** The seqs at which a run's segments begin, oldest first. */
export async function segmentsOf(directory: string): Promise<number[]> {
  const names = await readdir(directory).catch(() => [])
  return names.flatMap((name) => segmentSeq(name) ?? []).sort((a, b) => a - b)
}
