/** A real holder on its socket: messages in any order. It must go on holding its program, and another link's stream must stay whole. */
import { connect } from 'node:net'
import fc from 'fast-check'
import { FrameDecoder } from '../../../src/wire/frames.ts'
import { decodeFromHolder, encodeToHolder, HOLDER_PROTOCOL } from '../../../src/wire/holder.ts'
import { until } from '../../support/milestone.ts'
import { linkTo, startHolder } from '../../support/realHolder.ts'
import { damagedBytes, randomBytes } from '../nasty.ts'
import { residentBytes } from '../residentBytes.ts'
import { demand, fuzzTarget } from '../target.ts'
import { holderFrame, toHolder } from './messages.ts'

const HELLO = encodeToHolder({ kind: 'hello', hello: { speaks: HOLDER_PROTOCOL, who: 'fuzz' } })
const ASK = encodeToHolder({ kind: 'askStatus' })
/** What is typed comes back once, and only one signal could end it: that one is not sent. */
const PROGRAM = 'trap "" INT TERM HUP QUIT TSTP; stty raw -echo; exec cat'
const message = toHolder.filter((one) => one.kind !== 'signal' || one.request.signal !== 'SIGKILL').map(encodeToHolder)
const frame = fc.oneof({ weight: 4, arbitrary: message }, { weight: 2, arbitrary: holderFrame }, damagedBytes(message), randomBytes)
const conversation = fc.record({
  greets: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  frames: fc.array(frame, { minLength: 1, maxLength: 8 }),
})

export const holderSocket = fuzzTarget({
  name: 'holder-socket',
  what: 'A real holder, through its socket: messages in any order, while another link follows the program.',
  cases: 60,
  isReal: true,
  input: conversation,
  open: async () => {
    const holder = await startHolder({ command: '/bin/sh', args: ['-c', PROGRAM] })
    demand(holder.ready.ok, 'the holder did not start')
    const { holderPid } = holder.ready.status
    const witness = await linkTo(holder.order.socketPath)
    witness.subscribe()
    let typed = 0
    return {
      judge: async ({ greets, frames }) => {
        await speak(holder.order.socketPath, [...(greets ? [HELLO] : []), ...frames, ASK])
        const word = `w${++typed};`
        demand(!witness.isClosed(), 'the other link was ended')
        witness.send({ kind: 'input', bytes: Buffer.from(word) })
        await until(() => witness.isClosed() || witness.text().includes(word), { what: `the witness to see ${word}`, timeoutMs: 30_000 })
        demand(!witness.isClosed(), 'the other link was ended')
        const status = witness.next('status')
        witness.send({ kind: 'askStatus' })
        demand((await status).status.holderPid === holderPid, 'the holder is another process')
        witness.messages.length = 0
      },
      memoryBytes: () => Promise.resolve(residentBytes(holderPid)),
      close: async () => {
        witness.close()
        await holder[Symbol.asyncDispose]()
      },
    }
  },
})

/** Resolves when the last question was answered, or the holder has ended the link. */
function speak(path: string, frames: readonly Uint8Array[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const decoder = new FrameDecoder()
    socket.on('connect', () => {
      for (const bytes of frames) socket.write(bytes)
      socket.end() // a cut frame leaves the holder waiting for its rest; no rest will come
    })
    socket.on('data', (chunk) => {
      if (decoder.push(chunk).some((one) => decodeFromHolder(one)?.kind === 'status')) socket.destroy()
    })
    socket.on('error', () => undefined) // it was ended while we wrote
    socket.on('close', () => resolve())
  })
}
