/**
 * The protocol between a holder and the clients that want its bytes: the daemon's control link, the screen model, an
 * attached CLI, the relay of a page. A holder may be older than its peer by many versions, so `hello` never changes.
 */
import type { RunId, TerminalId } from '../base/ids.ts'
import type { ExitStatus, Foreground, Size } from '../workspace/terminal/terminal.ts'
import { decodeJson, decodeSeq, encodeFrame, encodeFrameInto, encodeJsonFrame, encodeSeq, type Frame, FrameError } from './frames.ts'

/** The domain words of this protocol, for holders, which see nothing of the domain but them. */
export type { ExitStatus, Foreground, Size }

/** What this build speaks. Raise `newest` with each change of the messages; lower nothing while N−1 must be spoken. */
export const HOLDER_PROTOCOL: Versions = { oldest: 1, newest: 2 }

/** What a holder can do beyond version 1; clients check this before they use it. */
export const TELLS_OUTPUT = 'tellOutput'

export type Versions = { readonly oldest: number; readonly newest: number }

/** The version both sides use, or null where they have none in common. */
export function commonVersion(ours: Versions, theirs: Versions): number | null {
  const version = Math.min(ours.newest, theirs.newest)
  return version >= Math.max(ours.oldest, theirs.oldest) ? version : null
}

/** Frame types. Numbers are never reused. */
const HELLO = 1
const OUTPUT = 2
const RESIZED = 3
const EXITED = 4
const STATUS = 5
const GAP = 6
const CAUGHT_UP = 7
const SUBSCRIBED = 8
const INPUT = 16
const RESIZE = 17
const SIGNAL = 18
const SUBSCRIBE = 19
const ACK = 20
const ASK_STATUS = 21
const TAKE_EXIT = 22
const ANSWER = 23
const TELL_OUTPUT = 24

/** Said first by both sides. */
export type PeerHello = { readonly speaks: Versions; readonly who: string }
export type HolderHello = {
  readonly speaks: Versions
  readonly capabilities: readonly string[]
  readonly terminal: TerminalId
  readonly run: RunId
  readonly status: HolderStatus
}

export type HolderStatus = {
  readonly pid: number
  readonly pidStart: string
  readonly holderPid: number
  readonly startedAt: number
  readonly seq: number
  /** The first seq that can still be read. */
  readonly oldest: number
  readonly size: Size
  readonly foreground: Foreground | null
  readonly exit: ExitStatus | null
  /** Why the log is in memory only, or null while the disk takes it. */
  readonly degraded: string | null
  /** Why the holder cannot reach its program for now; left out where it can, and by holders that always can. */
  readonly outOfReach?: string
}

/** How to follow the run: from a seq, or from the oldest byte there is; `window` bytes may be under way unacknowledged. */
export type Subscribe = {
  readonly from: number | 'oldest'
  readonly window: number
  readonly follow: boolean
  /** For a hidden follower: small output may wait this long for more. Omitted: everything is sent at once. */
  readonly patienceMs?: number
}

export type SignalRequest = {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL' | 'SIGQUIT' | 'SIGCONT' | 'SIGTSTP'
  readonly to: 'foreground' | 'tree'
}

export type FromHolder =
  | { readonly kind: 'hello'; readonly hello: HolderHello }
  /** Where the stream begins and at which size; queries in bytes before `answeredTo` have been answered already. */
  | { readonly kind: 'subscribed'; readonly from: number; readonly size: Size; readonly answeredTo: number }
  | { readonly kind: 'output'; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resized'; readonly seq: number; readonly size: Size }
  /** The bytes between `from` and `to` are gone; the stream continues at `to` with this size. */
  | { readonly kind: 'gap'; readonly from: number; readonly to: number; readonly size: Size }
  /** Everything that existed when the subscription began has been sent. */
  | { readonly kind: 'caughtUp'; readonly seq: number }
  | { readonly kind: 'exited'; readonly seq: number; readonly status: ExitStatus }
  | { readonly kind: 'status'; readonly status: HolderStatus }

export type ToHolder =
  | { readonly kind: 'hello'; readonly hello: PeerHello }
  | { readonly kind: 'input'; readonly bytes: Uint8Array }
  /** The screen's answer to queries in the bytes up to `seq`; dropped if those have been answered before. */
  | { readonly kind: 'answer'; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resize'; readonly size: Size }
  | { readonly kind: 'signal'; readonly request: SignalRequest }
  | { readonly kind: 'subscribe'; readonly subscribe: Subscribe }
  | { readonly kind: 'ack'; readonly bytes: number }
  | { readonly kind: 'askStatus' }
  /** A `status` is wanted once, as soon as there is output beyond `from`; a later one replaces it. Only where the holder `TELLS_OUTPUT`. */
  | { readonly kind: 'tellOutput'; readonly from: number }
  /** The exit is kept: the holder may leave. */
  | { readonly kind: 'takeExit' }

export function encodeFromHolder(message: FromHolder): Uint8Array<ArrayBuffer> {
  switch (message.kind) {
    case 'hello':
      return encodeJsonFrame(HELLO, message.hello)
    case 'subscribed':
      return encodeJsonFrame(SUBSCRIBED, { from: message.from, size: message.size, answeredTo: message.answeredTo })
    case 'output':
      return encodeFrame(OUTPUT, encodeSeq(message.seq), message.bytes)
    case 'resized':
      return encodeJsonFrame(RESIZED, { seq: message.seq, size: message.size })
    case 'gap':
      return encodeJsonFrame(GAP, { from: message.from, to: message.to, size: message.size })
    case 'caughtUp':
      return encodeFrame(CAUGHT_UP, encodeSeq(message.seq))
    case 'exited':
      return encodeJsonFrame(EXITED, { seq: message.seq, status: message.status })
    case 'status':
      return encodeJsonFrame(STATUS, message.status)
  }
}

/** Length, type and seq in front of the bytes of an output message. */
export const OUTPUT_HEADER_BYTES = 13

/** Encodes an output message into memory of the caller, which sends many. */
export const encodeOutputInto = <Memory extends ArrayBufferLike>(
  target: Uint8Array<Memory>,
  seq: number,
  bytes: Uint8Array,
): Uint8Array<Memory> => encodeFrameInto(target, OUTPUT, encodeSeq(seq), bytes)

/** Null for a message of a later version, which is skipped. */
export function decodeFromHolder({ type, payload }: Frame): FromHolder | null {
  switch (type) {
    case HELLO:
      return { kind: 'hello', hello: decodeJson(payload) as HolderHello }
    case SUBSCRIBED:
      return { kind: 'subscribed', ...(decodeJson(payload) as { from: number; size: Size; answeredTo: number }) }
    case OUTPUT:
      return { kind: 'output', seq: decodeSeq(payload), bytes: payload.subarray(8) }
    case RESIZED:
      return { kind: 'resized', ...(decodeJson(payload) as { seq: number; size: Size }) }
    case GAP:
      return { kind: 'gap', ...(decodeJson(payload) as { from: number; to: number; size: Size }) }
    case CAUGHT_UP:
      return { kind: 'caughtUp', seq: decodeSeq(payload) }
    case EXITED:
      return { kind: 'exited', ...(decodeJson(payload) as { seq: number; status: ExitStatus }) }
    case STATUS:
      return { kind: 'status', status: decodeJson(payload) as HolderStatus }
    default:
      return null
  }
}

export function encodeToHolder(message: ToHolder): Uint8Array<ArrayBuffer> {
  switch (message.kind) {
    case 'hello':
      return encodeJsonFrame(HELLO, message.hello)
    case 'input':
      return encodeFrame(INPUT, message.bytes)
    case 'answer':
      return encodeFrame(ANSWER, encodeSeq(message.seq), message.bytes)
    case 'resize':
      return encodeJsonFrame(RESIZE, message.size)
    case 'signal':
      return encodeJsonFrame(SIGNAL, message.request)
    case 'subscribe':
      return encodeJsonFrame(SUBSCRIBE, message.subscribe)
    case 'ack':
      return encodeFrame(ACK, encodeSeq(message.bytes))
    case 'askStatus':
      return encodeFrame(ASK_STATUS)
    case 'tellOutput':
      return encodeFrame(TELL_OUTPUT, encodeSeq(message.from))
    case 'takeExit':
      return encodeFrame(TAKE_EXIT)
  }
}

export function decodeToHolder({ type, payload }: Frame): ToHolder | null {
  switch (type) {
    case HELLO:
      return { kind: 'hello', hello: checkedHello(decodeJson(payload)) }
    case INPUT:
      return { kind: 'input', bytes: payload }
    case ANSWER:
      return { kind: 'answer', seq: decodeSeq(payload), bytes: payload.subarray(8) }
    case RESIZE:
      return { kind: 'resize', size: checkedSize(decodeJson(payload)) }
    case SIGNAL:
      return { kind: 'signal', request: checkedSignal(decodeJson(payload)) }
    case SUBSCRIBE:
      return { kind: 'subscribe', subscribe: checkedSubscribe(decodeJson(payload)) }
    case ACK:
      return { kind: 'ack', bytes: decodeSeq(payload) }
    case ASK_STATUS:
      return { kind: 'askStatus' }
    case TELL_OUTPUT:
      return { kind: 'tellOutput', from: decodeSeq(payload) }
    case TAKE_EXIT:
      return { kind: 'takeExit' }
    default:
      return null
  }
}

/** Terminals of no or one column make programs wrap for ever; such sizes come from hidden windows. */
export const isUsableSize = ({ cols, rows }: Size): boolean =>
  Number.isInteger(cols) && Number.isInteger(rows) && cols >= 2 && rows >= 1 && cols <= 1000 && rows <= 1000

function checkedSize(value: unknown): Size {
  const size = value as Size
  if (typeof size !== 'object' || size === null || !isUsableSize(size)) throw new FrameError('not a usable size')
  return { cols: size.cols, rows: size.rows }
}

const SIGNALS: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL', 'SIGQUIT', 'SIGCONT', 'SIGTSTP']

function checkedSignal(value: unknown): SignalRequest {
  const request = value as SignalRequest
  if (typeof request !== 'object' || request === null || !SIGNALS.includes(request.signal)) throw new FrameError('not a signal')
  return { signal: request.signal, to: request.to === 'tree' ? 'tree' : 'foreground' }
}

function checkedHello(value: unknown): PeerHello {
  const hello = value as PeerHello
  if (typeof hello !== 'object' || hello === null || typeof hello.speaks !== 'object' || hello.speaks === null)
    throw new FrameError('not a hello')
  if (!Number.isInteger(hello.speaks.oldest) || !Number.isInteger(hello.speaks.newest)) throw new FrameError('not a range of versions')
  return hello
}

/** A screen that is further behind than this would be seen to be. */
const LONGEST_PATIENCE_MS = 50

function checkedSubscribe(value: unknown): Subscribe {
  const request = value as Subscribe
  if (typeof request !== 'object' || request === null) throw new FrameError('not a subscription')
  if (request.from !== 'oldest' && !(Number.isSafeInteger(request.from) && request.from >= 0)) throw new FrameError('not a seq')
  if (!Number.isSafeInteger(request.window) || request.window < 1) throw new FrameError('not a window')
  const patience = typeof request.patienceMs === 'number' ? request.patienceMs : 0
  const patienceMs = Math.min(Math.max(0, patience), LONGEST_PATIENCE_MS)
  return { from: request.from, window: request.window, follow: request.follow === true, patienceMs }
}

/**
 * How Node is to run a holder. Private memory measured on a busy machine: 8 MB idle; some seconds after a flood 10 MB, of
 * eight holders one 15. The holder collects its garbage itself, once, when a flood has ended.
 */
export const holderFlags: readonly string[] = ['--max-semi-space-size=1', '--v8-pool-size=0', '--expose-gc']

/**
 * For the holder's own process, not its program: the C library gives large blocks back to the system when they are
 * freed, and one thread does the log's file work, which is sequential.
 */
export const holderEnvironment: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_ARENA_MAX: '1',
  UV_THREADPOOL_SIZE: '1',
}

/** What the daemon hands to a new holder on its standard input: everything it needs, nothing from its environment. */
export type HolderOrder = {
  readonly terminal: TerminalId
  readonly run: RunId
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly size: Size
  /** The user's file mask; left out, the program gets the holder's own. */
  readonly umask?: number
  /** The run's own directory, made by the holder: its card and its log. */
  readonly runDirectory: string
  readonly socketPath: string
  readonly segmentBytes: number
  /** False: nothing of the output may be written, there is memory only. Left out: it is logged. */
  readonly journal?: boolean
  /** Left out: the holder has a terminal of its own for the program. */
  readonly tmux?: TmuxOrder
}

/** Where in tmux the program is, or is to be. */
export type TmuxOrder =
  /** In a session that is made for it, by a server of ours that is started with this configuration if it is not there. */
  | { readonly kind: 'new'; readonly socket: string; readonly session: string; readonly config: string }
  /** In a session that an earlier holder created: the run continues. */
  | { readonly kind: 'found'; readonly socket: string; readonly session: string }
  /** In a pane of the user's own: shown and typed into, never ended by us. */
  /** `pid` is the program that is meant: another one in a pane of the same name is not attached to. */
  | { readonly kind: 'guest'; readonly socket: string; readonly pane: string; readonly pid: number }

/** What the holder says on its standard output, one JSON line, before it lets go of its pipes. */
export type HolderReady =
  | { readonly ok: true; readonly status: HolderStatus; readonly socketPath: string }
  | { readonly ok: false; readonly reason: string }

/** `holder.json` in the run's directory: how a daemon finds a living holder. It never holds the environment. */
export type HolderCard = {
  readonly speaks: Versions
  readonly version: string
  readonly terminal: TerminalId
  readonly run: RunId
  readonly holderPid: number
  readonly holderStart: string
  readonly pid: number
  readonly pidStart: string
  readonly socketPath: string
  readonly startedAt: number
  readonly command: string
  /** Empty where the run is private: `withheld` says how many there were. */
  readonly args: readonly string[]
  readonly withheld?: number
  readonly cwd: string
  readonly size: Size
  /** As in the order; left out where it is logged. */
  readonly journal?: false
  /** As in the order. */
  readonly tmux?: TmuxOrder
}
