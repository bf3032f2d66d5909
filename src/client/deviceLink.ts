/**
 * The browser's side of `wire/deviceProof.ts`: first the daemon proves itself, then the device does. It runs wherever there
 * are keys: they are handed in as two functions.
 */
import { type Admitted, readAdmitted, readDaemonProof, statementOf } from '../wire/deviceProof.ts'

export type OwnDevice = {
  readonly device: string
  sign(statement: string): Promise<string>
  isSignedByDaemon(statement: string, signature: string): Promise<boolean>
}

export type ProofLink = {
  say(text: string): void
  /** The next text message; rejects when the link is lost. */
  hear(): Promise<string>
}

/** The program that answers is not the daemon that this device logged in to. No secret was sent to it. */
export class NotOurDaemon extends Error {}

type Here = { readonly origin: string; readonly nonce: string; readonly onProved: () => void }

export async function proveLink(link: ProofLink, own: OwnDevice, { origin, nonce, onProved }: Here): Promise<Admitted> {
  link.say(JSON.stringify({ device: own.device, nonce }))
  const answer = readDaemonProof(await link.hear())
  if (answer === null) throw new NotOurDaemon('it does not speak our protocol')
  const facts = { origin, device: own.device, pageNonce: nonce, daemonNonce: answer.nonce }
  if (!(await own.isSignedByDaemon(statementOf('daemon', facts), answer.proof))) throw new NotOurDaemon('its proof is wrong')
  onProved()
  link.say(JSON.stringify({ proof: await own.sign(statementOf('device', facts)) }))
  const admitted = readAdmitted(await link.hear())
  if (admitted === null) throw new NotOurDaemon('it does not speak our protocol')
  return admitted
}
