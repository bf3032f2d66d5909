/** Things that lie where a file is expected, and that nobody may wait for or read to the end. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { onTestFinished } from 'vitest'

const HUGE_BYTES = 2 ** 40

/** Whoever waits for the pipe is let go when the test ends. */
function pipe(path: string): void {
  execFileSync('mkfifo', [path])
  onTestFinished(() => {
    try {
      closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
    } catch {
      // It is gone already.
    }
  })
}

async function socket(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
}

export const ODD_FILES: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  'a pipe': pipe,
  'a link to a pipe': (path) => {
    pipe(`${path}.pipe`)
    symlinkSync(`${path}.pipe`, path)
  },
  'a socket': socket,
  'a link to the device of zeros': (path) => symlinkSync('/dev/zero', path),
  'a link to a terminal': (path) => symlinkSync('/dev/ptmx', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a directory': (path) => mkdirSync(path),
  ...(process.getuid?.() === 0 ? { 'a device': (path: string) => void execFileSync('mknod', [path, 'c', '1', '5']) } : {}),
}

/** Takes no room on the disk. */
export function hugeFile(path: string): void {
  writeFileSync(path, '')
  truncateSync(path, HUGE_BYTES)
}

export async function putOdd(kind: string, path: string): Promise<void> {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  await ODD_FILES[kind]?.(path)
}
