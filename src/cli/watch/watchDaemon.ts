/** `--watch`: what the daemon knows as it is now, through restarts of the daemon, until the user has seen enough. */
import { done, type Result, refused } from '../../base/refusal.ts'
import type { ClientState, DaemonClient } from '../../client/daemonClient.ts'
import { ensureDaemon } from '../../client/daemonProcess.ts'
import { Mirror, type MirrorState } from '../../client/mirror.ts'
import type { Outcome } from '../../wire/commands.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import type { Host } from '../host.ts'
import { VERSION } from '../version.ts'
import { watchScreen } from './watchScreen.ts'

export type Watched = {
  readonly who: string
  readonly isJson: boolean
  /** For people; empty while there is nothing to show. */
  text(state: MirrorState): Promise<string>
  /** For programs, one line for what there is and one for each change; null where it is none of theirs. */
  all(all: Outcome<'watch'>): unknown
  event(event: DaemonEvent): unknown
}

export async function watchDaemon(host: Host, watched: Watched): Promise<Result<ExitCode>> {
  const link = await ensureDaemon({
    paths: host.paths,
    programSocket: host.programSocket,
    who: watched.who,
    version: VERSION,
    reconnect: 'afterFirst',
  })
  if (!link.ok) return link
  const client = link.value
  try {
    if (watched.isJson) await printEvents(host, client, watched)
    else await draw(host, client, watched)
    return client.state.kind === 'over' ? refused(client.state.refusal) : done(EXIT.done)
  } finally {
    client.close()
  }
}

/** One line of JSON for everything, whenever a daemon has answered, and one for each change; also for a daemon that went away. */
function printEvents(host: Host, client: DaemonClient, watched: Watched): Promise<void> {
  const print = (value: unknown): void => {
    if (value !== null) host.print(JSON.stringify(value))
  }
  client.watch({ onAll: (all) => print(watched.all(all)), onEvent: (event) => print(watched.event(event)) })
  let isThere = true
  client.onState((state) => {
    if (isThere && state.kind === 'waiting') print({ kind: 'away', why: state.why })
    isThere = state.kind === 'connected'
  })
  return overOf(client)
}

async function draw(host: Host, client: DaemonClient, watched: Watched): Promise<void> {
  const mirror = new Mirror(client)
  const text = async (): Promise<string> => {
    const known = await watched.text(mirror.state)
    return known === '' ? '' : [...awayText(mirror.state.client), known].join('\n')
  }
  if (host.stdout.isTTY === true) await watchScreen(host, { text, onChange: mirror.subscribe, over: overOf(client) })
  else await printLists(host, { text, mirror, over: overOf(client) })
  mirror.close()
}

/** Nobody looks at it as it happens: every list that differs from the one before is printed whole. */
async function printLists(host: Host, watched: { text(): Promise<string>; mirror: Mirror; over: Promise<void> }): Promise<void> {
  let last = ''
  let printing = Promise.resolve()
  const print = async (): Promise<void> => {
    const now = await watched.text()
    if (now !== '' && now !== last) host.print(last === '' ? now : `\n${now}`)
    last = now === '' ? last : now
  }
  watched.mirror.subscribe(() => {
    printing = printing.then(print)
  })
  await watched.over
}

/** What is known stays, and it is said that it may be old. */
const awayText = (state: ClientState): readonly string[] =>
  state.kind === 'connected' ? [] : ['The daemon is away; this is what was known. The programs run on.', '']

const overOf = (client: DaemonClient): Promise<void> =>
  new Promise((resolve) => {
    client.onState(({ kind }) => kind === 'over' && resolve())
  })
