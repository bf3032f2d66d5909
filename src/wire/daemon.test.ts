import { expect, test } from 'vitest'
import { COMMANDS, type CommandName, decodeParams } from './commands/commands.ts'
import { decodeFromDaemon, decodeToDaemon } from './daemon.ts'
import { encodeFrame, encodeJsonFrame, type Frame, FrameDecoder, FrameError } from './frames.ts'
import { decodeToHolder } from './holder.ts'

/** JSON can say it, and nothing can be done with it: made into a text or a number, it throws. */
const STUBBORN = { toString: 0, valueOf: 0 }

const frameOf = (bytes: Uint8Array): Frame => new FrameDecoder().push(bytes)[0]!

test('a hello whose name or version is no text is refused; one without them is taken', () => {
  for (const more of [{ who: STUBBORN }, { version: [STUBBORN] }, { who: 7 }])
    expect(() => decodeToDaemon(frameOf(encodeJsonFrame(1, { protocol: 1, ...more })))).toThrow(FrameError)
  expect(decodeToDaemon(frameOf(encodeJsonFrame(1, { protocol: 1 })))).toEqual({ kind: 'hello', protocol: 1, version: '', who: '' })
})

test('a reply that is not JSON is refused as any other message is', () => {
  expect(() => decodeFromDaemon(frameOf(encodeFrame(3, Buffer.from([2, 0, 0, 0, 123, 123]))))).toThrow(FrameError)
})

test('a subscription takes a patience that is no number for none', () => {
  const subscribe = { from: 0, window: 1, follow: true, patienceMs: STUBBORN }
  expect(decodeToHolder(frameOf(encodeJsonFrame(19, subscribe)))).toMatchObject({ subscribe: { patienceMs: 0 } })
})

test('parameters of no command throw, whatever stands in their fields', () => {
  const hostile = [STUBBORN, { length: STUBBORN }, [{ length: STUBBORN }], null, 7, '']
  for (const command of Object.keys(COMMANDS) as CommandName[]) {
    const fields = Object.keys(COMMANDS[command].params.shape)
    for (const value of hostile) {
      decodeParams(command, value)
      decodeParams(command, Object.fromEntries(fields.map((name) => [name, value])))
    }
  }
  expect(decodeParams('repository.show', { path: { length: STUBBORN } }).ok).toBe(false)
})
