/** The programs that run inside the terminals, and the inputs they print. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { corpusFile } from '../corpora.mjs'

export const programPath = (name) => fileURLToPath(new URL(`../programs/${name}`, import.meta.url))
export const corpusPath = (kind, mb) => corpusFile(kind, { mb })

export function makeFifo(path) {
  execFileSync('mkfifo', ['-m', '600', path])
  return path
}

/** Lets a program go on that reads a line from the fifo; never blocks, also when nobody reads. */
export function release(fifo) {
  const file = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
  writeSync(file, 'go\n')
  return () => closeSync(file)
}
