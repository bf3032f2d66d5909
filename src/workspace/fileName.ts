/** The name of an uploaded file: without a path, and safe in a command line. */
import { utf8Encode } from '../base/utf8.ts'

const LONGEST_BYTES = 160 // a file system takes 255, and more is put around it
const LONGEST_ENDING = 16
/** Anything else could be a path, a command, or look like something that it is not. */
const UNFIT = /[^\p{L}\p{N}\p{M}._+@=-]+/gu

export function safeFileName(given: string): string {
  const [last = ''] = given.normalize('NFC').split(/[/\\]/).slice(-1)
  const name = last
    .replace(UNFIT, '-')
    .replaceAll(/-{2,}/g, '-')
    .replace(/^[-.]+/, '')
    .replace(/[-.]+$/, '')
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= LONGEST_ENDING ? name.slice(dot) : ''
  return shortened(name.slice(0, name.length - ending.length), LONGEST_BYTES - utf8Encode(ending).length) + ending || 'file'
}

/** Whole letters, as many as there is room for. */
function shortened(text: string, bytes: number): string {
  let room = bytes
  let kept = ''
  for (const letter of text) {
    room -= utf8Encode(letter).length
    if (room < 0) break
    kept += letter
  }
  return kept
}
