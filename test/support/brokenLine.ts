import { createConnection, createServer, type Server, type Socket } from 'node:net'

/** A line between a page and its daemon that can be cut, mended and made slow. The page knows only its near end. */
export type BrokenLine = {
  readonly port: number
  /** Where everything goes on to; not known until the daemon listens. */
  target: number
  cut(): void
  mend(): void
  /** Bytes per second from the daemon to the page; null: as fast as they come. */
  slow(rate: number | null): void
  close(): Promise<void>
}

const SLICE_MS = 50

export async function openLine(): Promise<BrokenLine> {
  const sockets = new Set<Socket>()
  let isCut = false
  let rate: number | null = null
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = createConnection(line.target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (bytes) => forward(far, near, bytes, () => rate))
  })
  const line: BrokenLine = {
    port: await listen(server),
    target: 0,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      isCut = false
    },
    slow: (wanted) => {
      rate = wanted
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return line
}

/** A slow line takes its next bytes only when the last ones are through, so that whoever sends has to wait. */
function forward(far: Socket, near: Socket, bytes: Buffer, rate: () => number | null): void {
  const limit = rate()
  if (limit === null) {
    if (!near.write(bytes)) {
      far.pause()
      near.once('drain', () => far.resume())
    }
    return
  }
  far.pause()
  near.write(bytes)
  setTimeout(() => far.resume(), Math.max(SLICE_MS, (1_000 * bytes.length) / limit))
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(address !== null && typeof address === 'object' ? address.port : 0)
    })
  })
}
