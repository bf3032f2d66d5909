/** `ls --watch`: the list as it is now, through restarts of the daemon, until the user has seen enough. */
import { done, type Result, refused } from '../../base/refusal.ts'
import type { ClientState, DaemonClient } from '../../client/daemonClient.ts'
import { ensureDaemon } from '../../client/daemonProcess.ts'
import { Mirror } from '../../client/mirror.ts'
import type { TerminalView } from '../../wire/view.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import type { Host } from '../host.ts'
import { VERSION } from '../version.ts'
import { watchScreen } from './watchScreen.ts'

type ListText = (terminals: readonly TerminalView[]) => Promise<string>

export async function watchList(host: Host, { isJson, listText }: { isJson: boolean; listText: ListText }): Promise<Result<ExitCode>> {
  const link = await ensureDaemon({ paths: host.paths, who: 'ls', version: VERSION, reconnect: 'afterFirst' })
  if (!link.ok) return link
  const client = link.value
  try {
    if (isJson) await printEvents(host, client)
    else await drawList(host, client, listText)
    return client.state.kind === 'over' ? refused(client.state.refusal) : done(EXIT.done)
  } finally {
    client.close()
  }
}

/** One line of JSON for everything, whenever a daemon has answered, and one for each change; also for a daemon that went away. */
function printEvents(host: Host, client: DaemonClient): Promise<void> {
  const print = (value: unknown): void => host.print(JSON.stringify(value))
  client.watch({ onAll: (all) => print({ kind: 'all', ...all }), onEvent: print })
  let isThere = true
  client.onState((state) => {
    if (isThere && state.kind === 'waiting') print({ kind: 'away', why: state.why })
    isThere = state.kind === 'connected'
  })
  return overOf(client)
}

async function drawList(host: Host, client: DaemonClient, listText: ListText): Promise<void> {
  const mirror = new Mirror(client)
  const text = async (): Promise<string> => {
    const { terminals } = mirror.state
    return terminals === null ? '' : [...awayText(mirror.state.client), await listText(terminals)].join('\n')
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
