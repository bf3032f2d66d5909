import { authorization } from '../../device/bearer.ts'
import type { Sent } from './uploads.ts'

type Order = { readonly terminal: string; readonly file: File; readonly onProgress: (bytes: number) => void }

/** Not `fetch`, which does not tell how much of it is sent. */
export async function sendFile({ terminal, file, onProgress }: Order): Promise<Sent> {
  const authorised = await authorization()
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const fail = (why: string) => () => resolve({ ok: false, why })
    request.open('POST', `/api/files?${new URLSearchParams({ terminal, name: file.name })}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('Authorization', authorised)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => resolve(answerOf(request)))
    request.addEventListener('error', fail('the daemon is away.'))
    request.addEventListener('abort', fail('it was canceled.'))
    request.send(file)
  })
}

function answerOf({ status, responseText }: XMLHttpRequest): Sent {
  if (status !== 200) return { ok: false, why: responseText || `the daemon answered ${status}.` }
  const path = pathIn(responseText)
  return path === null ? { ok: false, why: 'the daemon did not answer with a path.' } : { ok: true, path }
}

function pathIn(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text)
    const path = typeof answer === 'object' && answer !== null && 'path' in answer ? answer.path : null
    return typeof path === 'string' ? path : null
  } catch {
    return null // no answer of ours: said as such
  }
}

/** The browser's own way to choose files; none when it was closed. */
export function pickFiles(): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const field = Object.assign(document.createElement('input'), { type: 'file', multiple: true })
    field.addEventListener('change', () => resolve([...(field.files ?? [])]))
    field.addEventListener('cancel', () => resolve([]))
    field.click()
  })
}
