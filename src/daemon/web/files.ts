/** A file that was dropped onto a terminal: its bytes are the body, everything else is in the query. */
import type { IncomingMessage } from 'node:http'
import type { RefusalCode, Result } from '../../base/refusal.ts'
import type { Capability } from '../../wire/capability.ts'
import type { Upload } from '../files/keptFiles.ts'
import { type Answer, jsonAnswer, textAnswer } from './answer.ts'

/** The largest file through a slow tunnel. */
export const UPLOAD_WITHIN_MS = 10 * 60_000

export type ReceiveFile = (upload: Upload, capability: Capability) => Promise<Result<{ readonly path: string }>>

const STATUS: Partial<Record<RefusalCode, number>> = {
  'file-too-large': 413,
  'may-not': 403,
  'terminal-not-found': 404,
  'terminal-ambiguous': 404,
  'files-busy': 503,
  'file-not-written': 507,
}

export async function receiveFile(request: IncomingMessage, receive: ReceiveFile, capability: Capability): Promise<Answer> {
  const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
  const [terminal, name] = [query.get('terminal'), query.get('name')]
  if (terminal === null || name === null) return textAnswer(400, 'The query must name a terminal and the file.')
  const length = request.headers['content-length']
  // The answer must still reach a browser that sends more than is read: leaving the loop does not end the connection.
  const body = request.iterator({ destroyOnReturn: false })
  const received = await receive({ terminal, name, bytes: length === undefined ? null : Number(length), body }, capability)
  if (received.ok) return jsonAnswer(received.value)
  const { code, message, hint } = received.refusal
  return textAnswer(STATUS[code] ?? 400, `${message} ${hint}`)
}
