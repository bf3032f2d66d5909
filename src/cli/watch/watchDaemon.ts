/**
 * `--watch` of `ls` and `health`: prints the daemon's state and its changes until the user quits, across restarts of the daemon.
 * Start reading here; watchScreen draws on a terminal. Below: `core/`.
 */

import { done, type Result, refused } from '../../base/refusal.ts'
import type { ClientState, DaemonClient } from '../../client/daemonClient.ts'
import { ensureDaemon } from '../../client/daemonProcess.ts'
import { Mirror, type MirrorState } from '../../client/mirror.ts'
import { VERSION } from '../../client/version.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import type { Cli } from '../core/verb.ts'
import { watchScreen } from './watchScreen.ts'

export type Watched = {
  readonly who: string
  /** Text for people; empty while nothing is known. */
  text(state: MirrorState): Promise<string>
  /** JSON for programs: one line for the state, one for each change; null for changes that are left out. */
  all(all: Outcome<'watch'>): unknown
  event(event: DaemonEvent): unknown
}

export async function watchDaemon(cli: Cli, watched: Watched): Promise<Result<ExitCode>> {
  const { paths, programSocket } = cli
  const link = await ensureDaemon({ paths, programSocket, who: watched.who, version: VERSION, reconnect: 'afterFirst' })
  if (!link.ok) return link
  const client = link.value
  try {
    if (cli.isJson) await printEvents(cli, client, watched)
    else await draw(cli, client, watched)
    return client.state.kind === 'over' ? refused(client.state.refusal) : done(EXIT.done)
  } finally {
    client.close()
  }
}

/** One line for the whole state at every connection, one for each change, and one when the daemon goes away. */
function printEvents(cli: Cli, client: DaemonClient, watched: Watched): Promise<void> {
  const print = (value: unknown): void => {
    if (value !== null) cli.print(JSON.stringify(value))
  }
  client.watch({ onAll: (all) => print(watched.all(all)), onEvent: (event) => print(watched.event(event)) })
  let isThere = true
  client.onState((state) => {
    if (isThere && state.kind === 'waiting') print({ kind: 'away', why: state.why })
    isThere = state.kind === 'connected'
  })
  return overOf(client)
}

async function draw(cli: Cli, client: DaemonClient, watched: Watched): Promise<void> {
  const mirror = new Mirror(client)
  const text = async (): Promise<string> => {
    const known = await watched.text(mirror.state)
    return known === '' ? '' : [...awayText(mirror.state.client), known].join('\n')
  }
  if (cli.stdout.isTTY === true) await watchScreen(cli, { text, onChange: mirror.subscribe, over: overOf(client) })
  else await printLists(cli, { text, mirror, over: overOf(client) })
  mirror.close()
}

/** Where the output is not a terminal, every changed list is printed whole. */
async function printLists(cli: Cli, watched: { text(): Promise<string>; mirror: Mirror; over: Promise<void> }): Promise<void> {
  let last = ''
  let printing = Promise.resolve()
  const print = async (): Promise<void> => {
    const now = await watched.text()
    if (now !== '' && now !== last) cli.print(last === '' ? now : `\n${now}`)
    last = now === '' ? last : now
  }
  watched.mirror.subscribe(() => {
    printing = printing.then(print)
  })
  await watched.over
}

/** The last known state stays, marked as such. */
const awayText = (state: ClientState): readonly string[] =>
  state.kind === 'connected' ? [] : ['The daemon is away; this is its last known state. Programs keep running.', '']

const overOf = (client: DaemonClient): Promise<void> =>
  new Promise((resolve) => {
    client.onState(({ kind }) => kind === 'over' && resolve())
  })
