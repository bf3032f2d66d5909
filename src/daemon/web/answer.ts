/** How every answer leaves: with headers that keep other sites from framing, reading or scripting the page. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Asset } from './assets.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // the terminal writes its colours and cell sizes into style elements
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=()',
}

const NEVER_CACHED = 'no-store'
const CACHED_FOR_EVER = 'private, max-age=31536000, immutable'

export type Headers = Readonly<Record<string, string>>
export type Answer = { readonly status: number; readonly type: string; readonly body: Buffer | string; readonly headers?: Headers }

export const textAnswer = (status: number, sentence: string, headers: Headers = {}): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${sentence}\n`,
  headers,
})
export const jsonAnswer = (value: unknown, headers: Headers = {}): Answer => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(value),
  headers,
})

export async function assetAnswer(asset: Asset, request: IncomingMessage): Promise<Answer> {
  const cached = asset.isFixed ? CACHED_FOR_EVER : NEVER_CACHED
  const headers = { 'Cache-Control': cached, Vary: 'Accept-Encoding' }
  const packs = asset.packed !== null && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (!packs || asset.packed === null) return { status: 200, type: asset.type, body: asset.body, headers }
  return { status: 200, type: asset.type, body: await asset.packed(), headers: { ...headers, 'Content-Encoding': 'gzip' } }
}

export function headersOf(answer: Answer): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    'Cache-Control': NEVER_CACHED,
    'Content-Type': answer.type,
    'Content-Length': String(Buffer.byteLength(answer.body)),
    ...answer.headers,
  }
}

export function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, headersOf(answer)).end(answer.body)
}
