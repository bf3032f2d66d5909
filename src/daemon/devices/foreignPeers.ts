/** Looks once at every connection, when it comes in, whether it is of a user of this machine who may use the page. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { AuthLog } from './authLog.ts'
import { uidOfPeer } from './peerUser.ts'

const ROOT = 0

type Options = {
  /** Beside the daemon's own user and root. */
  readonly trustedUids: readonly number[]
  readonly authLog: AuthLog
}

export function foreignPeers(server: Server, { trustedUids, authLog }: Options): (socket: Socket) => Promise<boolean> {
  const verdicts = new WeakMap<Socket, Promise<boolean>>()
  const trusted = new Set([process.getuid?.() ?? ROOT, ROOT, ...trustedUids])
  const judge = async (socket: Socket): Promise<boolean> => {
    const uid = await uidOfPeer(socket)
    // Not known: another system, or a connection that is over already. The device's key still has to be proved.
    if (uid === null || trusted.has(uid)) return false
    authLog.note({ what: 'refused', details: `a connection of another user's process (uid ${uid})` })
    return true
  }
  const look = (socket: Socket): Promise<boolean> => {
    const verdict = verdicts.get(socket) ?? judge(socket)
    verdicts.set(socket, verdict)
    return verdict
  }
  server.on('connection', (socket) => void look(socket))
  return look
}
