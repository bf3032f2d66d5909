/**
 * `holdfast attach`: a terminal shown in the user's own. Output comes from the holder (follower), sizes go through the daemon
 * (sizeKeeper), so that typing works while the daemon is away and nothing is painted twice when it is back. `attachment`
 * connects the parts; `pager/` is scroll mode. Start reading here. Only `core/` and `text/` are below this folder.
 */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { DaemonClient } from '../../client/daemonClient.ts'
import { ensureDaemon } from '../../client/daemonProcess.ts'
import { VERSION } from '../../client/version.ts'
import type { Lead } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { ExitCode } from '../core/exit.ts'
import { usage } from '../core/parse.ts'
import type { Cli } from '../core/verb.ts'
import { Attachment, type Look } from './attachment.ts'
import { readAttachConfig } from './detachConfig.ts'
import { DetachKeys } from './detachKeys.ts'
import { OwnTerminal } from './ownTerminal.ts'
import { snapshotOf } from './snapshot.ts'

const SEEN_WITHIN_MS = 200 // usually answered within a millisecond

/** `history`: lines above the screen that are painted once; by default as many as the configuration says. */
export type AttachOptions = { readonly history?: number }

export async function attach(ref: string, cli: Cli, options: AttachOptions = {}): Promise<Result<ExitCode>> {
  if (cli.stdin.isTTY !== true) return usage('attach needs a terminal as standard input; in scripts, use read, send and wait')
  const configured = readAttachConfig(cli.paths)
  const { paths, programSocket } = cli
  const link = await ensureDaemon({ paths, programSocket, who: 'attach', version: VERSION, reconnect: 'afterFirst' })
  if (!link.ok) return link
  const client = link.value
  try {
    const own = new OwnTerminal({ input: cli.stdin, output: cli.stdout })
    const look = await firstLook(client, ref, own.size)
    if (!look.ok) return look
    const history = options.history ?? (await configured).history
    const first = await snapshotOf(client, { terminal: ref, size: look.value?.terminal.size ?? null, history })
    if (!first.ok) return first
    const { terminal } = first.value.result
    if (cli.env['HOLDFAST_TERMINAL_ID'] === terminal.id) return refused(refusals.attachToSelf(terminal.id))
    const keys = new DetachKeys((await configured).keys)
    void client.request('terminal.seen', { terminal: terminal.id })
    const ending = await new Attachment({ first: first.value, look: look.value, client, own, keys, cli }).start()
    own.restore()
    await markSeen(client, terminal.id)
    cli.print(`[${ending.text}]`)
    return done(ending.code)
  } finally {
    client.close()
  }
}

/** A slow or absent daemon does not delay the detach. */
async function markSeen(client: DaemonClient, terminal: string): Promise<void> {
  if (client.state.kind !== 'connected') return
  const late = new Promise((resolve) => setTimeout(resolve, SEEN_WITHIN_MS).unref())
  await Promise.race([client.request('terminal.seen', { terminal }), late])
}

/**
 * Another client keeps the lead until the user types here. If no client leads, this window does, however narrow it is:
 * unlike a page, it cannot scale the screen down. Null where there is no window.
 */
async function firstLook(client: DaemonClient, terminal: string, size: Size | null): Promise<Result<Look | null>> {
  if (size === null) return done(null)
  const look = async (lead: Lead): Promise<Result<Look>> => {
    const answer = await client.request('terminal.look', { terminal, size, lead })
    return answer.ok ? done(answer.value.result) : answer
  }
  const seen = await look('ifFree')
  return seen.ok && seen.value.terminal.sizedBy.kind === 'nobody' ? await look('yes') : seen
}
