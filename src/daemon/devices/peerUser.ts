/**
 * Which user of this machine is at the other end of a loopback connection, and who listens on a port. Only Linux tells;
 * elsewhere nobody is known, and the key of the device alone decides.
 */
import { readFile } from 'node:fs/promises'
import { endianness } from 'node:os'

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const LISTENING = '0A'
const MAPPED = '0000000000000000FFFF0000'

const NOT_KNOWN = Promise.resolve(null)

type Row = { readonly local: string; readonly remote: string; readonly state: string; readonly uid: number; readonly inode: string }

export type Ends = {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}

/** Null where it is not known: another system, or a connection that is over. */
export function uidOfPeer(ends: Ends): Promise<number | null> {
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
