/** The daemon's side of `wire/deviceProof.ts`, for one link: what to say to each message, until the device is let in or refused. */
import type { Device } from '../../store/store.ts'
import { type DaemonProof, type Facts, readDeviceProof, readHello, statementOf } from '../../wire/deviceProof.ts'
import { type Identity, isSignedBy } from './identity.ts'
import { makeSecret } from './secrets.ts'

export type Step =
  | { readonly kind: 'say'; readonly message: DaemonProof }
  | { readonly kind: 'admit'; readonly device: Device }
  | { readonly kind: 'refuse'; readonly why: string; readonly device: string | null }
  /** It does not speak as it should. */
  | { readonly kind: 'nonsense' }

type Options = {
  /** As the gate has let it pass. */
  readonly origin: string
  readonly identity: Identity
  readonly findDevice: (id: string) => Device | null
}

export class Handshake {
  private facts: Facts | null = null

  constructor(private readonly options: Options) {}

  take(text: string): Step {
    return this.facts === null ? this.greet(text) : this.judge(text, this.facts)
  }

  /** The daemon proves itself also to a device it does not know, so that the device can believe the refusal. */
  private greet(text: string): Step {
    const hello = readHello(text)
    if (hello === null) return { kind: 'nonsense' }
    const { origin, identity } = this.options
    this.facts = { origin, device: hello.device, pageNonce: hello.nonce, daemonNonce: makeSecret() }
    return { kind: 'say', message: { nonce: this.facts.daemonNonce, proof: identity.sign(statementOf('daemon', this.facts)) } }
  }

  private judge(text: string, facts: Facts): Step {
    const message = readDeviceProof(text)
    if (message === null) return { kind: 'nonsense' }
    const device = this.options.findDevice(facts.device)
    const refuse = (why: string): Step => ({ kind: 'refuse', why, device: facts.device })
    if (device === null) return refuse('the device is unknown, revoked or expired')
    if (device.origin !== facts.origin) return refuse(`the device belongs to ${device.origin}, not to ${facts.origin}`)
    if (!isSignedBy(device.key, statementOf('device', facts), message.proof)) return refuse('the proof is wrong')
    return { kind: 'admit', device }
  }
}
