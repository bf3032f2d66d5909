/** Listens on the run's own socket, and puts the socket file back if it is deleted. */
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'

/** Cleaners of temporary directories run daily; a minute without a new link is soon enough. */
const LOOK_EVERY_MS = 60_000

export type Listening = {
  /** Puts the file back now, if it is gone. Never rejects. */
  look(): Promise<void>
  close(): void
}

export async function listen(path: string, accept: (socket: Socket) => void, lookEveryMs = LOOK_EVERY_MS): Promise<Listening> {
  rmSync(path, { force: true })
  let server = await bind(path, accept)
  const look = async (): Promise<void> => {
    if (exists(path)) return
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    server.close() // before the next one: closing removes the file by its name
    server = await bind(path, accept)
  }
  const complain = (error: unknown): void => console.error('the socket could not be put back:', error)
  let looking: Promise<void> | null = null
  // One at a time: two would each put a file of theirs in the other's place.
  const lookOnce = (): Promise<void> => {
    looking ??= look()
      .catch(complain)
      .finally(() => {
        looking = null
      })
    return looking
  }
  const timer = setInterval(() => void lookOnce(), lookEveryMs)
  return {
    look: lookOnce,
    close: () => {
      clearInterval(timer)
      server.close()
      rmSync(path, { force: true })
    },
  }
}

function bind(path: string, accept: (socket: Socket) => void): Promise<Server> {
  const server = createServer(accept)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      server.on('error', (error) => console.error('a link was not accepted:', error))
      resolve(server)
    })
    // The file is made within this call: other users may not connect, not even for a moment, and the program keeps its own mask.
    const mask = process.umask(0o177)
    try {
      server.listen(path)
    } finally {
      process.umask(mask)
    }
    if (exists(path)) chmodSync(path, 0o600)
  })
}

function exists(path: string): boolean {
  try {
    return lstatSync(path).isSocket()
  } catch {
    return false
  }
}
