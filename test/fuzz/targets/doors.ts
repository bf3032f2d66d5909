/** A real daemon behind its two doors: messages in any order. It must stay the same process, and another client's stream whole. */
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { WebSocket } from 'ws'
import type { DaemonClient } from '../../../src/client/daemonClient.ts'
import { COMMANDS, type CommandName } from '../../../src/wire/commands/commands.ts'
import { decodeFromDaemon, encodeToDaemon, fromMessage, toMessage } from '../../../src/wire/daemon.ts'
import { encodeJsonFrame, FrameDecoder } from '../../../src/wire/frames.ts'
import { connectTo } from '../../support/daemon.ts'
import { json } from '../../support/holdfast.ts'
import { makeHomeWithOwnPort } from '../../support/home.ts'
import { until } from '../../support/milestone.ts'
import { openPageSocket } from '../../support/pageSocket.ts'
import { changedJson, damagedBytes, nastyJson, randomBytes } from '../nasty.ts'
import { residentBytes } from '../residentBytes.ts'
import { schemaValue } from '../schemaValue.ts'
import { Complaint, demand, fuzzTarget, type Opened } from '../target.ts'
import { clientFrame, toDaemon } from './messages.ts'

/** Commands that do what they are asked: they end the daemon, start programs, close what is watched, or leave something each time. */
const OBEYED: readonly string[] = [
  ...[
    'daemon.stop',
    'config.set',
    'web.login',
    'device.revoke',
    'device.logOut',
    'forget.apply',
    'terminal.new',
    'terminal.adopt',
    'terminal.wake',
    'terminal.reopen',
    'restore.apply',
  ],
  ...['workspace.startOver', 'workspace.import', 'workspace.new', 'workspace.close', 'group.new', 'group.close', 'checkpoint.create'],
  ...['repository.addWorktree', 'recovery.answer'],
]
const noObject = fc.oneof(fc.constant(null), fc.array(nastyJson(), { maxLength: 2 }), fc.constantFrom<unknown>(7, 'x', true))

const request = fc
  .oneof(
    ...(Object.keys(COMMANDS) as CommandName[]).map((command) => {
      const values = schemaValue(COMMANDS[command].params)
      const named = changedJson(values, fc.oneof(fc.constant('victim'), nastyJson()))
      return fc.tuple(fc.constant(command), OBEYED.includes(command) ? noObject : fc.oneof(values, named, nastyJson()))
    }),
  )
  .chain(([command, params]) => fc.nat(9).map((id) => encodeToDaemon({ kind: 'request', id, command, params })))
const onChannel = toDaemon.filter(({ kind }) => kind !== 'request').map(encodeToDaemon)
const frame = fc.oneof({ weight: 5, arbitrary: request }, onChannel, clientFrame)
const HELLO = encodeToDaemon({ kind: 'hello', protocol: 1, version: '0', who: 'fuzz' })
/** In most cases hello comes first, as it should. */
const conversation = fc.record({
  greets: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  frames: fc.array(fc.oneof({ weight: 8, arbitrary: frame }, damagedBytes(frame), randomBytes), { minLength: 1, maxLength: 6 }),
})
type Conversation = { readonly greets: boolean; readonly frames: readonly Uint8Array[] }

const STUBBORN = { toString: 0, valueOf: 0 }
/** One message each that has ended a daemon. */
const EXAMPLES: readonly Conversation[] = [
  { greets: false, frames: [encodeJsonFrame(1, { protocol: 1, version: '0', who: STUBBORN })] },
  { greets: true, frames: [encodeJsonFrame(2, { id: 1, command: 'repository.show', params: { path: { length: STUBBORN } } })] },
  { greets: true, frames: [encodeJsonFrame(2, { id: STUBBORN, command: 'terminal.list', params: {} })] },
]

const SENTINEL = 4_000_000_000 // the id of a question that is always asked last
const LAST = encodeToDaemon({ kind: 'request', id: SENTINEL, command: 'daemon.status', params: {} })

/** Says everything and resolves when the last question was answered, or the daemon has ended the connection. */
type Speak = (frames: readonly Uint8Array[]) => Promise<void>

async function openDaemon(speakTo: (home: { readonly path: string }) => Speak): Promise<Opened<Conversation>> {
  const home = makeHomeWithOwnPort()
  try {
    for (const name of ['witness', 'victim']) await json(home, ['new', '--name', name, '--', '/bin/cat'])
    const client = await connectTo(home)
    const { pid } = await identity(client)
    const witness = watchOver(client)
    const speak = speakTo(home)
    return {
      judge: async ({ greets, frames }) => {
        await speak([...(greets ? [HELLO] : []), ...frames, LAST])
        demand((await identity(client)).pid === pid, 'the daemon is another process')
        await witness.echoes()
      },
      memoryBytes: () => Promise.resolve(residentBytes(pid)),
      close: async () => {
        client.close()
        await home.sweep() // a daemon that has ended cannot stop its holders
      },
    }
  } catch (error) {
    await home.sweep()
    throw error
  }
}

async function identity(client: DaemonClient): Promise<{ readonly pid: number }> {
  const answer = await client.request('daemon.status', {})
  if (!answer.ok) throw new Complaint(`the daemon does not answer: ${answer.refusal.message}`)
  return answer.value.result
}

/** Another client, which types into its terminal and must see all of it come back. */
function watchOver(client: DaemonClient): { echoes(): Promise<void> } {
  let text = ''
  let typed = 0
  let broken: string | null = null
  const channel = client.openChannel({
    terminal: 'witness',
    window: 1 << 20,
    handlers: {
      onSnapshot: () => undefined,
      onOutput: (bytes, consumed) => {
        text += Buffer.from(bytes).toString('latin1')
        consumed()
      },
      onResized: () => undefined,
      onExited: () => (broken = 'its program has ended'),
      onLink: (isConnected, why) => {
        if (!isConnected && typed > 0) broken = why
      },
      onRefused: ({ message }) => (broken = message),
    },
  })
  return {
    echoes: async () => {
      const word = `w${++typed};`
      channel.input(Buffer.from(`${word}\n`))
      await until(() => broken !== null || text.split(word).length === 3, { what: `the witness to see ${word} twice`, timeoutMs: 30_000 })
      demand(broken === null, `the stream of the other client has ended: ${broken}`)
      text = ''
    },
  }
}

const isLastAnswer = (frame: Parameters<typeof decodeFromDaemon>[0]): boolean => {
  const message = decodeFromDaemon(frame)
  return message?.kind === 'reply' && message.id === SENTINEL
}

const throughUnixSocket =
  (home: { readonly path: string }): Speak =>
  (frames) =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(`${home.path}/sockets/daemon.sock`)
      const decoder = new FrameDecoder()
      socket.on('connect', () => {
        for (const frame of frames) socket.write(frame)
        // A cut frame leaves the daemon waiting for its rest; no rest will come.
        socket.end()
      })
      socket.on('data', (chunk) => {
        try {
          if (decoder.push(chunk).some(isLastAnswer)) socket.destroy()
        } catch (error) {
          reject(error as Error)
        }
      })
      socket.on('error', () => undefined) // it was ended while we wrote
      socket.on('close', () => resolve())
    })

const throughWebSocket = (home: { readonly path: string }): Speak => {
  const opening = openPageSocket(home)
  return async (frames) => {
    const { socket } = await (await opening).connect()
    await new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary && isLastAnswer(fromMessage(data))) socket.terminate()
      })
      socket.on('close', () => resolve())
      for (const frame of frames) if (socket.readyState === WebSocket.OPEN) socket.send(toMessage(Buffer.from(frame)))
    })
  }
}

export const clientSocket = fuzzTarget<Conversation>({
  name: 'client-socket',
  what: 'A real daemon, through its Unix socket: messages in any order, while another client follows a terminal.',
  cases: 60,
  isReal: true,
  input: conversation,
  examples: EXAMPLES,
  open: () => openDaemon(throughUnixSocket),
})

export const clientWebSocket = fuzzTarget<Conversation>({
  name: 'client-websocket',
  what: 'The same through the WebSocket of the page.',
  cases: 60,
  isReal: true,
  input: conversation,
  examples: EXAMPLES,
  open: () => openDaemon(throughWebSocket),
})
