/**
 * src/wire: everything that crosses a process, as pure codecs and schemas. This file is the protocol between the daemon and its
 * clients, holder.ts the one to a holder, log.ts the log on disk, paths.ts where files are; the *View.ts files are what clients are
 * shown. commands/ is the table of commands, config/ is config.toml. Start here. The protocol is the same on the Unix socket
 * (length-prefixed frames) and on the page's WebSocket (one frame per message, without the length).
 */
import type { Refusal } from '../base/refusal.ts'
import { utf8Encode } from '../base/utf8.ts'
import type { ExitStatus, Size } from '../workspace/terminal/terminal.ts'
import { decodeJson, decodeSeq, encodeFrame, encodeJsonFrame, encodeSeq, type Frame, FrameError } from './frames.ts'
import type { HealthView } from './healthView.ts'
import type { PageSettings } from './pageSettings.ts'
import type { RecoveryView } from './recoveryView.ts'
import type { TopologyView } from './topologyView.ts'
import type { TerminalView } from './view.ts'

export const DAEMON_PROTOCOL = 1

const HELLO = 1
const REQUEST = 2
const REPLY = 3
const EVENT = 4
const OUTPUT = 5
const CHANNEL = 6
const INPUT = 16
const ACK = 17
const CLOSE = 18

export type DaemonEvent =
  /** The whole record, never a patch. */
  | { readonly kind: 'terminal'; readonly terminal: TerminalView }
  | { readonly kind: 'closed'; readonly terminal: string }
  | { readonly kind: 'topology'; readonly topology: TopologyView }
  | { readonly kind: 'settings'; readonly settings: PageSettings }
  | { readonly kind: 'recovery'; readonly recovery: RecoveryView | null }
  /** Not for times alone. */
  | { readonly kind: 'health'; readonly health: HealthView }

/** What happens on a channel besides output, in order with it. */
export type ChannelNote =
  | { readonly kind: 'resized'; readonly seq: number; readonly size: Size }
  | { readonly kind: 'caughtUp'; readonly seq: number }
  | { readonly kind: 'exited'; readonly seq: number; readonly status: ExitStatus }
  /** The channel is over without an exit: open it again, from the seq you hold or with a snapshot. */
  | { readonly kind: 'broken'; readonly why: string }

export type FromDaemon =
  /** `refusal`: the daemon does not take this client, and closes the connection. Left out by earlier daemons. */
  | { readonly kind: 'hello'; readonly protocol: number; readonly version: string; readonly pid: number; readonly refusal?: Refusal }
  | { readonly kind: 'reply'; readonly id: number; readonly answer: Answer; readonly blob: Uint8Array }
  | { readonly kind: 'event'; readonly event: DaemonEvent }
  | { readonly kind: 'output'; readonly channel: number; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly kind: 'channel'; readonly channel: number; readonly note: ChannelNote }

export type Answer = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly refusal: Refusal }

export type ToDaemon =
  | { readonly kind: 'hello'; readonly protocol: number; readonly version: string; readonly who: string }
  | { readonly kind: 'request'; readonly id: number; readonly command: string; readonly params: unknown }
  | { readonly kind: 'input'; readonly channel: number; readonly bytes: Uint8Array }
  | { readonly kind: 'ack'; readonly channel: number; readonly bytes: number }
  | { readonly kind: 'close'; readonly channel: number }

export function encodeFromDaemon(message: FromDaemon): Uint8Array<ArrayBuffer> {
  switch (message.kind) {
    case 'hello':
      return encodeJsonFrame(HELLO, { protocol: message.protocol, version: message.version, pid: message.pid, refusal: message.refusal })
    case 'reply': {
      const json = utf8Encode(JSON.stringify({ id: message.id, answer: message.answer }))
      return encodeFrame(REPLY, encodeNumber(json.length), json, message.blob)
    }
    case 'event':
      return encodeJsonFrame(EVENT, message.event)
    case 'output':
      return encodeFrame(OUTPUT, encodeNumber(message.channel), encodeSeq(message.seq), message.bytes)
    case 'channel':
      return encodeJsonFrame(CHANNEL, { channel: message.channel, note: message.note })
  }
}

/** Null for a message of a later version, which is skipped. */
export function decodeFromDaemon({ type, payload }: Frame): FromDaemon | null {
  switch (type) {
    case HELLO:
      return { kind: 'hello', ...(decodeJson(payload) as { protocol: number; version: string; pid: number; refusal?: Refusal }) }
    case REPLY: {
      const end = 4 + decodeNumber(payload, 0)
      const { id, answer } = decodeJson(payload.subarray(4, end)) as { id: number; answer: Answer }
      return { kind: 'reply', id, answer, blob: payload.subarray(end) }
    }
    case EVENT:
      return { kind: 'event', event: decodeJson(payload) as DaemonEvent }
    case OUTPUT:
      return { kind: 'output', channel: decodeNumber(payload, 0), seq: decodeSeq(payload, 4), bytes: payload.subarray(12) }
    case CHANNEL:
      return { kind: 'channel', ...(decodeJson(payload) as { channel: number; note: ChannelNote }) }
    default:
      return null
  }
}

export function encodeToDaemon(message: ToDaemon): Uint8Array<ArrayBuffer> {
  switch (message.kind) {
    case 'hello':
      return encodeJsonFrame(HELLO, { protocol: message.protocol, version: message.version, who: message.who })
    case 'request':
      return encodeJsonFrame(REQUEST, { id: message.id, command: message.command, params: message.params })
    case 'input':
      return encodeFrame(INPUT, encodeNumber(message.channel), message.bytes)
    case 'ack':
      return encodeFrame(ACK, encodeNumber(message.channel), encodeSeq(message.bytes))
    case 'close':
      return encodeFrame(CLOSE, encodeNumber(message.channel))
  }
}

export function decodeToDaemon({ type, payload }: Frame): ToDaemon | null {
  switch (type) {
    case HELLO:
      return { kind: 'hello', ...checkedHello(decodeJson(payload)) }
    case REQUEST:
      return { kind: 'request', ...checkedRequest(decodeJson(payload)) }
    case INPUT:
      return { kind: 'input', channel: decodeNumber(payload, 0), bytes: payload.subarray(4) }
    case ACK:
      return { kind: 'ack', channel: decodeNumber(payload, 0), bytes: decodeSeq(payload, 4) }
    case CLOSE:
      return { kind: 'close', channel: decodeNumber(payload, 0) }
    default:
      return null
  }
}

/** A WebSocket message is a frame without its length. */
export const toMessage = (frame: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => frame.subarray(4)
export const fromMessage = (message: Uint8Array): Frame => ({ type: message[0] ?? 0, payload: message.subarray(1) })

/** Longer names and versions are cut: whose they are can still be seen. */
const LONGEST_WORD = 40

function checkedHello(value: unknown): { protocol: number; version: string; who: string } {
  const { protocol, version = '', who = '' } = objectIn(value)
  if (typeof protocol !== 'number' || typeof version !== 'string' || typeof who !== 'string')
    throw new FrameError('a hello without a protocol, or with a version or name that is no text')
  return { protocol, version: version.slice(0, LONGEST_WORD), who: who.slice(0, LONGEST_WORD) }
}

function checkedRequest(value: unknown): { id: number; command: string; params: unknown } {
  const { id, command, params } = objectIn(value)
  if (!Number.isSafeInteger(id) || typeof command !== 'string') throw new FrameError('a request without id or command')
  return { id: id as number, command, params }
}

function objectIn(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new FrameError('a message that is no object')
  return value as Record<string, unknown>
}

function encodeNumber(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

function decodeNumber(bytes: Uint8Array, at: number): number {
  if (bytes.length < at + 4) throw new FrameError('a number is cut off')
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true)
}
