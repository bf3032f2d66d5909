/** What the daemon keeps, behind one interface. Every promise resolves when the change would survive a power cut. */
import type { RunId, TerminalId } from '../base/ids.ts'
import type { Terminal } from '../workspace/terminal.ts'
import type { Topology } from '../workspace/topology.ts'

export type KeptRecord =
  | { readonly ok: true; readonly terminal: Terminal }
  /** A record that cannot be decoded costs its details, never the boot. */
  | { readonly ok: false; readonly id: string; readonly raw: string; readonly why: string }

export type KeptSnapshot = { readonly run: RunId; readonly seq: number; readonly bytes: Uint8Array }

export type WebSession = { readonly hash: string; readonly created: number; readonly expires: number; readonly label: string }

export type Store = {
  records(): Promise<readonly KeptRecord[]>
  /** Null when there is none yet or it cannot be decoded (then it is set aside, and `troubles` says so). */
  topology(): Promise<Topology | null>
  keepTerminal(terminal: Terminal): Promise<void>
  forgetTerminal(id: TerminalId): Promise<void>
  keepTopology(topology: Topology): Promise<void>
  /** Replaces the run's earlier snapshot. */
  keepSnapshot(terminal: TerminalId, snapshot: KeptSnapshot): Promise<void>
  snapshot(run: RunId): Promise<KeptSnapshot | null>
  webSessions(): Promise<readonly WebSession[]>
  keepWebSession(session: WebSession): Promise<void>
  forgetWebSession(hash: string): Promise<void>
  setting(key: string): Promise<string | null>
  keepSetting(key: string, value: string): Promise<void>
  /** Sentences about what was found broken and set aside while opening. */
  readonly troubles: readonly string[]
  close(): Promise<void>
}
