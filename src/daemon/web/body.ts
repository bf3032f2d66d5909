/** Bodies are one small JSON object. Requiring the type keeps plain forms of other sites out even without an Origin. */
import type { IncomingMessage } from 'node:http'

const BODY_LIMIT = 4096 // a token has 43 characters

export type Body =
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'bad'; readonly status: 400 | 413 | 415; readonly why: string }

const bad = (status: 400 | 413 | 415, why: string): Body => ({ kind: 'bad', status, why })

export async function readBody(request: IncomingMessage): Promise<Body> {
  if (!/^application\/json\b/.test(String(request.headers['content-type'] ?? ''))) return bad(415, 'The body must be JSON.')
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return bad(413, 'The body is too large.')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    size += piece.length
    if (size > BODY_LIMIT) return bad(413, 'The body is too large.')
    pieces.push(piece)
  }
  return parse(Buffer.concat(pieces).toString('utf8'))
}

function parse(text: string): Body {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'object', fields: { ...value } }
  } catch {
    // Not JSON at all is refused like JSON of another shape.
  }
  return bad(400, 'The body must be a JSON object.')
}
