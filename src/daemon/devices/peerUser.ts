/**
 * Which user of this machine is at the other end of a loopback connection, and who listens on a port. Only Linux tells;
 * elsewhere the user is unknown, and the key of the device alone decides.
 */
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'
import type { AuthLog } from './authLog.ts'

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const LISTENING = '0A'
const MAPPED = '0000000000000000FFFF0000'

const NOT_KNOWN = Promise.resolve(null)

type Row = { readonly local: string; readonly remote: string; readonly state: string; readonly uid: number; readonly inode: string }

type Ends = {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}

/** Null where it is not known: another system, or a connection that is over. */
function uidOfPeer(ends: Ends): Promise<number | null> {
  const { remoteAddress, remotePort, localAddress, localPort } = ends
  if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined) return NOT_KNOWN
  const [theirs, ours] = [written(remoteAddress, remotePort), written(localAddress, localPort)]
  if (theirs === null || ours === null) return NOT_KNOWN
  // Theirs is the row whose near end is our far end. One without an inode has been closed, and its uid says nothing.
  return find(({ local, remote, inode }) => inode !== '0' && local.endsWith(theirs) && remote.endsWith(ours))
}

export function uidOfListener(port: number): Promise<number | null> {
  const end = `:${hex(port, 4)}`
  return find(({ local, state }) => state === LISTENING && local.endsWith(end))
}

async function find(fits: (row: Row) => boolean): Promise<number | null> {
  for (const table of TABLES) {
    const text = await readFile(table, 'latin1').catch(() => '')
    for (const line of text.split('\n').slice(1)) {
      const row = rowOf(line)
      if (row !== null && fits(row)) return row.uid
    }
  }
  return null
}

function rowOf(line: string): Row | null {
  const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/)
  if (local === undefined || remote === undefined || state === undefined || uid === undefined || inode === undefined) return null
  return { local: plain(local), remote: plain(remote), state, uid: Number(uid), inode }
}

/** An IPv4 address in an IPv6 socket is the same address. */
const plain = (address: string): string => (address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address)

/** Null for what is no IPv4 address: the page listens on no other. */
function written(address: string, port: number): string | null {
  const parts = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number)
  if (parts.length !== 4) return null
  const bytes = endianness() === 'LE' ? parts.toReversed() : parts
  return `${bytes.map((byte) => hex(byte, 2)).join('')}:${hex(port, 4)}`
}

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')

/** Checks every incoming connection once: whether its user on this machine may use the page. */
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
