/** A run's bytes and resizes once more, from a seq on up to now: from its holder if there is one, else from its log on disk. */
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { linkHolder } from '../client/holderLink.ts'
import type { FromHolder } from '../wire/holder.ts'
import { CUT_OFF, decodeRecord, type LogRecord, segmentName, segmentSeq } from '../wire/log.ts'
import type { Size } from '../workspace/terminal.ts'
import type { Source } from './screenMessages.ts'

export type OldEntry =
  /** The size in force from here on. `seq` is that of the next byte. */
  | { readonly kind: 'size'; readonly seq: number; readonly size: Size }
  | { readonly kind: 'output'; readonly seq: number; readonly bytes: Uint8Array }
  /** Bytes up to `seq` are missing. */
  | { readonly kind: 'gap'; readonly seq: number; readonly size: Size }

const WINDOW_BYTES = 256 << 10 // parsed in some five milliseconds: the holder's answer is on its way meanwhile
const READ_BYTES = 256 << 10

export const oldEntries = (source: Source, from: number | 'oldest'): AsyncGenerator<OldEntry> =>
  source.kind === 'holder' ? entriesOfHolder(source.socketPath, from) : entriesOnDisk(source.directory, from)

async function* entriesOfHolder(socketPath: string, from: number | 'oldest'): AsyncGenerator<OldEntry> {
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

function entryOf(message: FromHolder): OldEntry | null {
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

async function* entriesOnDisk(directory: string, from: number | 'oldest'): AsyncGenerator<OldEntry> {
  const wanted = from === 'oldest' ? 0 : from
  const segments = await segmentsOf(directory)
  const later = segments.findIndex((seq, index) => index > 0 && seq > wanted)
  for (const seq of segments.slice(Math.max(0, (later < 0 ? segments.length : later) - 1))) {
    for await (const record of recordsOf(`${directory}/${segmentName(seq)}`)) {
      const entry = entryOfRecord(record)
      const isNews = entry?.kind === 'output' ? entry.seq + entry.bytes.length > wanted : from === 'oldest' || record.seq > wanted
      if (entry !== null && isNews) yield entry
    }
  }
}

function entryOfRecord(record: LogRecord): OldEntry | null {
  switch (record.kind) {
    case 'output':
      return record
    case 'start':
    case 'resize':
      return { kind: 'size', seq: record.seq, size: record.size }
    case 'skip':
      return { kind: 'gap', seq: record.seq, size: record.size }
    case 'exit':
      return null
  }
}

/** The seqs at which a run's segments begin, oldest first. */
export async function segmentsOf(directory: string): Promise<number[]> {
  const names = await readdir(directory).catch(() => [])
  return names.flatMap((name) => segmentSeq(name) ?? []).sort((a, b) => a - b)
}

/** Up to the first fault; what is behind it is told by the records of the next segment. */
async function* recordsOf(path: string): AsyncGenerator<LogRecord> {
  const file = await openUnlessDropped(path)
  if (file === null) return
  try {
    let rest: Uint8Array = new Uint8Array(0)
    for (let isEnd = false; !isEnd; ) {
      const part = await readOn(file)
      isEnd = part.length === 0
      const bytes = rest.length === 0 ? part : Buffer.concat([rest, part])
      let at = 0
      while (at < bytes.length) {
        const found = decodeRecord(bytes, at, crc32)
        if (found === CUT_OFF && !isEnd) break
        if (typeof found === 'string') return
        yield found.record
        at = found.next
      }
      rest = bytes.subarray(at)
    }
  } finally {
    await file.close()
  }
}

async function openUnlessDropped(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function readOn(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(READ_BYTES) })
  return buffer.subarray(0, bytesRead)
}
