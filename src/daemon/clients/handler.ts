/**
 * What answers a command. A handler takes the parts of the daemon that it needs, its parameters and the client that asked; it knows
 * nothing of connections, and a connection knows nothing of the handlers.
 */
import type { TerminalId } from '../../base/ids.ts'
import type { Refusal } from '../../base/refusal.ts'
import type { CommandName, Outcome, Params } from '../../wire/commands/commands.ts'
import type { TopologyView } from '../../wire/topologyView.ts'
import type { Peer } from './peer.ts'
import type { Relay } from './relay.ts'

export type Reply<Name extends CommandName> =
  | {
      readonly ok: true
      readonly result: Outcome<Name>
      readonly blob?: Uint8Array
      /** Called once the reply is sent. */
      readonly after?: () => void
    }
  | { readonly ok: false; readonly refusal: Refusal }

/** `Parts` are the parts of the daemon that it works on. */
export type Handler<Name extends CommandName, Parts> = (
  daemon: Parts,
  params: Params<Name>,
  client: Client,
) => Reply<Name> | Promise<Reply<Name>>

/** Answers any command. The parameters have been decoded for it. */
export type AnswerCommand = (
  command: CommandName,
  params: Params<CommandName>,
  client: Client,
) => Reply<CommandName> | Promise<Reply<CommandName>>

/** What a handler may do with the client that asked. */
export type Client = {
  readonly peer: Peer
  /** Identifies it among the clients of this daemon. */
  readonly number: number
  /** The name that it gave itself. */
  readonly who: string
  /** Sends it events from now on; the reply has told it this layout. */
  watch(topology: TopologyView): void
  /** Whether its capability covers this terminal. */
  sees(terminal: string): boolean
  /** Null if it has as many channels as it may have. */
  takeChannel(terminal: TerminalId): number | null
  setRelay(channel: number, relay: Relay): void
  dropRelay(channel: number): void
  breakChannel(channel: number, why: string): void
  /** Called when the client disconnects; returns a function that takes this back. */
  onGone(end: () => void): () => void
}
