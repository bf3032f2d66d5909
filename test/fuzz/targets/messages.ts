/** The decoders of both socket protocols, without a socket. */
import fc from 'fast-check'
import { COMMANDS, type CommandName, decodeParams } from '../../../src/wire/commands/commands.ts'
import { decodeFromDaemon, decodeToDaemon, encodeToDaemon, fromMessage, type ToDaemon } from '../../../src/wire/daemon.ts'
import { decodeFromHolder, decodeToHolder, encodeToHolder, type ToHolder } from '../../../src/wire/holder.ts'
import { anyFrame, anyStream, type FrameKinds, judgeRoundTrip, judgeStream, orRefused } from '../frames.ts'
import { changedJson, nastyJson, nastyText, randomBytes, wellFormed } from '../nasty.ts'
import { schemaValue } from '../schemaValue.ts'
import { demand, fuzzTarget } from '../target.ts'

const DAEMON: FrameKinds = {
  types: [1, 2, 3, 4, 5, 6, 16, 17, 18],
  keys: ['protocol', 'version', 'who', 'id', 'command', 'params', 'answer', 'ok', 'refusal', 'channel', 'note', 'kind', 'pid'],
  good: {
    1: { protocol: 1, version: '0', who: 'fuzz', pid: 7 },
    2: { id: 1, command: 'terminal.list', params: {} },
    4: { kind: 'closed', terminal: 't0123456789' },
    6: { channel: 1, note: { kind: 'resized', seq: 1, size: { cols: 80, rows: 24 } } },
  },
}
const HOLDER: FrameKinds = {
  types: [1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20, 21, 22, 23, 24],
  keys: ['speaks', 'oldest', 'newest', 'who', 'from', 'window', 'follow', 'patienceMs', 'cols', 'rows', 'signal', 'to', 'seq'],
  good: {
    1: { speaks: { oldest: 1, newest: 2 }, who: 'fuzz' },
    17: { cols: 80, rows: 24 },
    18: { signal: 'SIGINT', to: 'foreground' },
    19: { from: 0, window: 1 << 20, follow: true, patienceMs: 10 },
  },
}

const id = fc.nat(2 ** 32 - 1)
const seq = fc.nat(2 ** 53 - 1)
const jsonSafe = nastyJson().map((value) => JSON.parse(JSON.stringify(value)) as unknown)

export const toDaemon: fc.Arbitrary<ToDaemon> = fc.oneof(
  fc.record({
    kind: fc.constant('hello' as const),
    protocol: fc.nat(9),
    version: fc.string({ maxLength: 9 }),
    who: fc.string({ maxLength: 9 }),
  }),
  fc.record({ kind: fc.constant('request' as const), id, command: nastyText.map(wellFormed), params: jsonSafe }),
  fc.record({ kind: fc.constant('input' as const), channel: id, bytes: randomBytes }),
  fc.record({ kind: fc.constant('ack' as const), channel: id, bytes: seq }),
  fc.record({ kind: fc.constant('close' as const), channel: id }),
)

const size = fc.record({ cols: fc.integer({ min: 2, max: 1000 }), rows: fc.integer({ min: 1, max: 1000 }) })
const signal = fc.constantFrom('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL', 'SIGQUIT', 'SIGCONT', 'SIGTSTP')
export const toHolder: fc.Arbitrary<ToHolder> = fc.oneof(
  fc.record({ kind: fc.constant('input' as const), bytes: randomBytes }),
  fc.record({ kind: fc.constant('answer' as const), seq, bytes: randomBytes }),
  fc.record({ kind: fc.constant('resize' as const), size }),
  fc.record({ kind: fc.constant('signal' as const), request: fc.record({ signal, to: fc.constantFrom('foreground', 'tree') }) }),
  fc.record({
    kind: fc.constant('subscribe' as const),
    subscribe: fc.record({
      from: fc.oneof(fc.constant('oldest' as const), seq),
      window: fc.integer({ min: 1 }),
      follow: fc.boolean(),
      patienceMs: fc.nat(50),
    }),
  }),
  fc.record({ kind: fc.constant('ack' as const), bytes: seq }),
  fc.constantFrom({ kind: 'askStatus' as const }, { kind: 'takeExit' as const }),
  fc.record({ kind: fc.constant('tellOutput' as const), from: seq }),
)

export const clientFrame = anyFrame(DAEMON)
export const holderFrame = anyFrame(HOLDER)
const clientStream = anyStream(clientFrame)
const holderStream = anyStream(holderFrame)

const LARGEST_HOLDER_FRAME = 17 << 20

/** A command of the table with parameters that fit, or nearly. */
const parameters = fc.oneof(
  ...(Object.keys(COMMANDS) as CommandName[]).map((command) => {
    const values = schemaValue(COMMANDS[command].params)
    return fc.record({ command: fc.constant(command), value: fc.oneof(values, changedJson(values), nastyJson()) })
  }),
)

export const clientMessages = fuzzTarget({
  name: 'client-messages',
  what: 'Decoders of the client protocol, both directions, and the parameters of every command.',
  cases: 400,
  input: fc.record({ stream: clientStream, message: toDaemon, parameters }),
  open: () => ({
    judge: ({ stream, message, parameters: { command, value } }) => {
      for (const frame of judgeStream(stream)) for (const decode of [decodeToDaemon, decodeFromDaemon]) orRefused(() => decode(frame))
      const websocket = fromMessage(stream.bytes)
      for (const decode of [decodeToDaemon, decodeFromDaemon]) orRefused(() => decode(websocket))
      judgeRoundTrip(message, { encode: encodeToDaemon, decode: decodeToDaemon })
      const first = decodeParams(command, value)
      if (first.ok) demand(decodeParams(command, first.params).ok, `${command}: what was decoded is refused the second time`)
    },
  }),
})

export const holderMessages = fuzzTarget({
  name: 'holder-messages',
  what: 'Decoders of the holder protocol, both directions.',
  cases: 400,
  input: fc.record({ stream: holderStream, message: toHolder }),
  open: () => ({
    judge: ({ stream, message }) => {
      for (const frame of judgeStream(stream, LARGEST_HOLDER_FRAME))
        for (const decode of [decodeToHolder, decodeFromHolder]) orRefused(() => decode(frame))
      judgeRoundTrip(message, { encode: encodeToHolder, decode: decodeToHolder })
    },
  }),
})
