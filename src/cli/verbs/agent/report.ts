import { hookPayload } from '../../../agents/hooks/hookEvent.ts'
import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import type { Host } from '../../host.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

const READ_WITHIN_MS = 1_000
const READ_AT_MOST = 4 << 20 // bytes: some agents put whole answers of tools into it
/** An agent waits for its hook: one that takes longer reports nothing. */
const DONE_WITHIN_MS = 3_000

/** What agents' hooks run. It starts no daemon, and whatever goes wrong is nobody's business but ours. */
export const report: Verb = {
  name: 'report',
  summary: 'Report what an agent’s hook says on standard input; for hooks.',
  operands: '<agent>',
  hidden: true,
  options: [{ flags: '--event <name>', help: 'what has happened' }, JSON_OPTION],
  example: ['holdfast agent report claude --event Stop < payload.json'],
  run: async (input, host) => {
    const late = setTimeout(() => process.exit(EXIT.done), DONE_WITHIN_MS)
    const terminal = host.env['HOLDFAST_TERMINAL_ID'] ?? ''
    const [text, daemon] = await Promise.all([standardInput(host), terminal === '' ? null : host.asProgram()])
    const event = input.text('event') ?? ''
    const told = { terminal, agent: input.operands[0] ?? '', event, payload: hookPayload(jsonIn(text)), reporter: { pid: process.pid } }
    const answer = daemon?.ok === true ? await daemon.value.request('agent.report', told) : null
    clearTimeout(late)
    if (input.flag('json')) host.printJson(answer === null ? null : answer.ok ? answer.value.result : { refusal: answer.refusal })
    return done(EXIT.done)
  },
}

function standardInput({ stdin }: Pick<Host, 'stdin'>): Promise<string> {
  if (stdin.isTTY === true) return Promise.resolve('')
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let size = 0
    const finish = (): void => {
      clearTimeout(timer)
      stdin.destroy()
      resolve(Buffer.concat(pieces).toString('utf8'))
    }
    const timer = setTimeout(finish, READ_WITHIN_MS)
    stdin.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= READ_AT_MOST) pieces.push(piece)
    })
    stdin.once('end', finish)
    stdin.once('error', finish)
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // an agent of a version that says it otherwise: the event alone tells something too
  }
}
