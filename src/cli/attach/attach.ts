/**
 * `attach`: the bytes come from the holder itself (data plane), sizes go through the daemon (control plane). So the user
 * keeps typing while the daemon is away, and nothing is painted twice when it or the link comes back.
 */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { DaemonClient, Reply } from '../../client/daemonClient.ts'
import { ensureDaemon } from '../../client/daemonProcess.ts'
import { createQueryFilter } from '../../screen/queries.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Size } from '../../workspace/terminal.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { becauseText, statusText } from '../format.ts'
import type { Host } from '../host.ts'
import { usage } from '../parse.ts'
import { VERSION } from '../version.ts'
import { readAttachConfig } from './detachConfig.ts'
import { DetachKeys } from './detachKeys.ts'
import { type Fate, Follower, type Position } from './follower.ts'
import { OwnTerminal } from './ownTerminal.ts'
import { Scrolling } from './scrolling.ts'
import { SizeKeeper } from './sizeKeeper.ts'
import { typeInto } from './typing.ts'

/** How long the daemon's picture may take to follow a change of size before it is painted as it is. */
const RESIZE_SHOWN_WITHIN_MS = 60
const LOOK_AGAIN_MS = 6

export type Attached = Reply<'terminal.attach'>
export type Ending = { readonly text: string; readonly code: ExitCode }
/** `history`: lines above the screen that are painted once; left out, what the configuration says. */
export type AttachOptions = { readonly history?: number }

export async function attach(ref: string, host: Host, options: AttachOptions = {}): Promise<Result<ExitCode>> {
  if (host.stdin.isTTY !== true) return usage('attach needs a terminal on its input; use read, send and wait in scripts')
  const configured = readAttachConfig(host.paths)
  const link = await ensureDaemon({ paths: host.paths, who: 'attach', version: VERSION, reconnect: 'afterFirst' })
  if (!link.ok) return link
  const client = link.value
  try {
    const own = new OwnTerminal({ input: host.stdin, output: host.stdout })
    const first = await pictureOf(client, { ref, size: own.size, history: options.history ?? (await configured).history })
    if (!first.ok) return first
    const { terminal } = first.value.result
    if (host.env['HOLDFAST_TERMINAL_ID'] === terminal.id) return refused(refusals.attachToSelf(terminal.id))
    const keys = new DetachKeys((await configured).keys)
    const ending = await follow({ first: first.value, client, own, keys, host })
    own.restore()
    host.print(`[${ending.text}]`)
    return done(ending.code)
  } finally {
    client.close()
  }
}

type Wanted = { readonly ref: string; readonly size: Size | null; readonly history: number }

/** The snapshot to begin with, at our own size where the daemon's screen gets there in time. */
async function pictureOf(client: DaemonClient, { ref, size, history }: Wanted): Promise<Result<Attached>> {
  if (size !== null) {
    const resized = await client.request('terminal.resize', { terminal: ref, size })
    if (!resized.ok) return resized
  }
  const deadline = Date.now() + RESIZE_SHOWN_WITHIN_MS
  for (;;) {
    const picture = await client.request('terminal.attach', { terminal: ref, history })
    if (!picture.ok || size === null || sameSize(picture.value.result.size, size) || Date.now() > deadline) return picture
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

const sameSize = (a: Size, b: Size): boolean => a.cols === b.cols && a.rows === b.rows

type Parts = {
  readonly first: Attached
  readonly client: DaemonClient
  readonly own: OwnTerminal
  readonly keys: DetachKeys
  readonly host: Host
}

function follow({ first, client, own, keys, host }: Parts): Promise<Ending> {
  const { terminal } = first.result
  return new Promise<Ending>((resolve) => {
    let filter = createQueryFilter()
    const cleanUp: (() => void)[] = []
    const end = (ending: Ending): void => {
      for (const act of cleanUp.splice(0).reverse()) act()
      resolve(ending)
    }
    /** The last bytes of a program belong on the screen before the line that says how it ended. */
    const endAfterOutput = (ending: Ending): void => own.show(filter.flush(), () => end(ending))
    const over = (ending: Ending): void => (scrolling.takesEnding(ending) ? undefined : endAfterOutput(ending))

    const follower = new Follower(positionOf(first), {
      onOutput: (bytes, taken) => {
        if (scrolling.takesOutput(bytes)) return taken()
        const shown = filter(bytes)
        if (shown.length === 0) taken()
        else own.show(shown, taken)
      },
      onGap: () => (scrolling.takesGap() ? undefined : void repaint()),
      onExited: (status) => over({ text: `ended: ${statusText(status)}`, code: EXIT.ended }),
      onLost: (why, ended) => over({ text: ended ? `ended: ${why}` : `lost: ${why}`, code: ended ? EXIT.ended : EXIT.refused }),
      onInputHeld: (held) => void (held ? host.stdin.pause() : host.stdin.resume()),
      fate: () => fateOf(client, first),
    })
    const repaint = async (): Promise<void> => {
      const picture = await client.request('terminal.attach', { terminal: terminal.id })
      if (!picture.ok) return end({ text: `lost: ${picture.refusal.message}`, code: EXIT.refused })
      paint(picture.value)
    }
    const paint = (picture: Attached): void => {
      own.wipe()
      own.show(picture.blob)
      goOn(positionOf(picture))
    }
    const goOn = (position: Position): void => {
      filter = createQueryFilter()
      follower.moveTo(position)
    }
    const scrolling = new Scrolling({ client, terminal: terminal.id, own, position: () => follower.position, paint, goOn, repaint, end })
    const sizes = new SizeKeeper(own.size, {
      current: () => own.size,
      isConnected: () => client.state.kind === 'connected',
      tell: (size) => void client.request('terminal.resize', { terminal: terminal.id, size }),
      tellHolder: (size) => follower.resize(size),
    })

    // First of all: a signal may come as soon as something is seen.
    cleanUp.push(onSignals(() => end({ text: `detached from ${terminal.name ?? terminal.id}`, code: EXIT.refused }), own))
    own.enter()
    own.freshen()
    own.show(first.blob)
    void own.passOutputUnchanged().then(() => follower.start())
    host.stdout.on('resize', sizes.windowChanged)
    host.stdout.on('resize', scrolling.windowChanged)
    cleanUp.push(() => follower.close())
    cleanUp.push(() => scrolling.close())
    cleanUp.push(() => sizes.close())
    cleanUp.push(() => host.stdout.off('resize', sizes.windowChanged))
    cleanUp.push(() => host.stdout.off('resize', scrolling.windowChanged))
    cleanUp.push(
      client.onState(({ kind }) => {
        if (kind === 'connected') sizes.daemonIsBack()
      }),
    )
    cleanUp.push(
      typeInto({
        input: host.stdin,
        keys,
        send: (bytes) => (scrolling.takesTyped(bytes) ? undefined : follower.input(bytes)),
        scroll: () => scrolling.open(),
        detached: () => end({ text: `detached from ${terminal.name ?? terminal.id}`, code: EXIT.done }),
      }),
    )
  })
}

export const positionOf = ({ result }: Attached): Position => ({ socketPath: result.socketPath, run: result.run, seq: result.seq })

/** Absence is not an ending: only the daemon's record says that the run is over. */
async function fateOf(client: DaemonClient, { result }: Attached): Promise<Fate> {
  if (client.state.kind !== 'connected') return { kind: 'unknown' }
  const listed = await client.request('terminal.list', {})
  if (!listed.ok) return { kind: 'unknown' }
  const now = listed.value.result.find(({ id }) => id === result.terminal.id)
  return fateIn(now, result.run)
}

export function fateIn(now: Pick<TerminalView, 'run' | 'because'> | undefined, run: string): Fate {
  if (now === undefined) return { kind: 'over', text: 'the terminal was closed' }
  if (now.because?.kind === 'lost') return { kind: 'over', text: 'its holder or the machine went down' }
  if (now.because !== null) return { kind: 'over', text: becauseText(now.because) }
  return now.run === run ? { kind: 'running' } : { kind: 'over', text: 'another program has taken its place' }
}

function onSignals(end: () => void, own: OwnTerminal): () => void {
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const
  // A stack trace on a raw alternate screen helps nobody: put the terminal back first.
  const crash = (error: unknown): void => {
    own.restore()
    console.error(error)
    process.exit(EXIT.refused)
  }
  for (const signal of signals) process.on(signal, end)
  process.on('uncaughtException', crash)
  return () => {
    for (const signal of signals) process.off(signal, end)
    process.off('uncaughtException', crash)
  }
}
