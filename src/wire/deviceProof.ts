/**
 * How a browser and the daemon prove to each other who they are, before the first frame on the page's WebSocket. Both sign
 * (ECDSA, P-256, SHA-256) the same facts, each with its own word in front; neither sends anything that could be used again:
 *
 *   page   → { device, nonce }
 *   daemon → { nonce, proof }   the page closes the link unless its daemon signed
 *   page   → { proof }
 *   daemon → { bearer }         authorises HTTP requests for as long as this link is open; frames follow
 *
 * The origin is signed as each side sees it, port included: a server in between cannot pass the proofs on.
 */
export type Facts = {
  readonly origin: string
  readonly device: string
  /** Made by the page and by the daemon, for this one link. */
  readonly pageNonce: string
  readonly daemonNonce: string
}

export type DeviceHello = { readonly device: string; readonly nonce: string }
export type DaemonProof = { readonly nonce: string; readonly proof: string }
export type DeviceProof = { readonly proof: string }
export type Admitted = { readonly bearer: string }

export type Signer = 'daemon' | 'device'

/** No part can hold a line break, so that no two sets of facts read the same. */
export const statementOf = (signer: Signer, { origin, device, pageNonce, daemonNonce }: Facts): string =>
  ['holdfast link 1', signer, origin, device, pageNonce, daemonNonce].join('\n')

export const PROOF_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
/** Public keys travel and are kept as the uncompressed point: 65 bytes in base64url. */
export const PUBLIC_KEY_SHAPE = /^[A-Za-z0-9_-]{87}$/
export const SIGNATURE_SHAPE = /^[A-Za-z0-9_-]{86}$/
const DEVICE_SHAPE = /^d[0-9a-z]{10}$/
const NONCE_SHAPE = /^[A-Za-z0-9_-]{43}$/

/** Each message of the exchange is one JSON object in a text message. Null for what is not of its shape. */
export const readHello = (text: string): DeviceHello | null => read(text, { device: DEVICE_SHAPE, nonce: NONCE_SHAPE })
export const readDaemonProof = (text: string): DaemonProof | null => read(text, { nonce: NONCE_SHAPE, proof: SIGNATURE_SHAPE })
export const readDeviceProof = (text: string): DeviceProof | null => read(text, { proof: SIGNATURE_SHAPE })
export const readAdmitted = (text: string): Admitted | null => read(text, { bearer: NONCE_SHAPE })

const MESSAGE_LIMIT = 1_024 // characters; the longest has some two hundred

function read<Name extends string>(text: string, shapes: Readonly<Record<Name, RegExp>>): Readonly<Record<Name, string>> | null {
  if (text.length > MESSAGE_LIMIT) return null
  const fields = fieldsIn(text)
  const entries = Object.entries<RegExp>(shapes)
  const fits = entries.every(([name, shape]) => typeof fields[name] === 'string' && shape.test(fields[name]))
  return fits ? (Object.fromEntries(entries.map(([name]) => [name, fields[name]])) as Record<Name, string>) : null
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(text) as object) }
  } catch {
    return {}
  }
}

/** How the WebSocket is closed to a device that is not, or no longer, logged in; the page believes it only of its own daemon. */
export const CLOSE_LOGGED_OUT = 4401
