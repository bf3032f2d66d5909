/**
 * `attach`: the bytes come from the holder itself (data plane), sizes go through the daemon (control plane). So the user
 * keeps typing while the daemon is away, and nothing is painted twice when it or the link comes back.
 */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { DaemonClient, Reply } from '../../client/daemonClient.ts'
import { ensureDaemon } from '../../client/daemonProcess.ts'
import { createQueryFilter } from '../../screen/queries.ts'
import type { Outcome } from '../../wire/commands.ts'
import { ENTER, isTyped } from '../../wire/typed.ts'
import type { TerminalView } from '../../wire/view.ts'
import { isSameSize, type Lead } from '../../workspace/sizing.ts'
import type { Size } from '../../workspace/terminal.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { becauseText, statusText } from '../format.ts'
import type { Host } from '../host.ts'
import { usage } from '../parse.ts'
import { VERSION } from '../version.ts'
import { readAttachConfig } from './detachConfig.ts'
import { DetachKeys } from './detachKeys.ts'
import { type Fate, Follower, type Position } from './follower.ts'
import { OtherSizeView } from './otherSize.ts'
import { OwnTerminal } from './ownTerminal.ts'
import { Scrolling } from './scrolling.ts'
import { type Looked, SizeKeeper } from './sizeKeeper.ts'
import { typeInto } from './typing.ts'

/** How long the daemon's picture may take to follow a change of size before it is painted as it is. */
const RESIZE_SHOWN_WITHIN_MS = 60
const LOOK_AGAIN_MS = 6
const SEEN_WITHIN_MS = 200 // it is answered within a millisecond

export type Attached = Reply<'terminal.attach'>
type Look = Outcome<'terminal.look'>
export type Ending = { readonly text: string; readonly code: ExitCode }
/** `history`: lines above the screen that are painted once; left out, what the configuration says. */
export type AttachOptions = { readonly history?: number }

export async function attach(ref: string, host: Host, options: AttachOptions = {}): Promise<Result<ExitCode>> {
  if (host.stdin.isTTY !== true) return usage('attach needs a terminal on its input; use read, send and wait in scripts')
  const configured = readAttachConfig(host.paths)
  const link = await ensureDaemon({
    paths: host.paths,
    programSocket: host.programSocket,
    who: 'attach',
    version: VERSION,
    reconnect: 'afterFirst',
  })
  if (!link.ok) return link
  const client = link.value
  try {
    const own = new OwnTerminal({ input: host.stdin, output: host.stdout })
    const look = await firstLook(client, { ref, size: own.size })
    if (!look.ok) return look
    const history = options.history ?? (await configured).history
    const first = await pictureOf(client, { ref, size: look.value?.terminal.size ?? null, history })
    if (!first.ok) return first
    const { terminal } = first.value.result
    if (host.env['HOLDFAST_TERMINAL_ID'] === terminal.id) return refused(refusals.attachToSelf(terminal.id))
    const keys = new DetachKeys((await configured).keys)
    void client.request('terminal.seen', { terminal: terminal.id })
    const ending = await follow({ first: first.value, look: look.value, client, own, keys, host })
    own.restore()
    await sawAll(client, terminal.id)
    host.print(`[${ending.text}]`)
    return done(ending.code)
  } finally {
    client.close()
  }
}

/** What rang meanwhile was heard here. A daemon that is away, or slow, keeps nobody from leaving. */
async function sawAll(client: DaemonClient, terminal: string): Promise<void> {
  if (client.state.kind !== 'connected') return
  const late = new Promise((resolve) => setTimeout(resolve, SEEN_WITHIN_MS).unref())
  await Promise.race([client.request('terminal.seen', { terminal }), late])
}

type Sought = { readonly ref: string; readonly size: Size | null }

/**
 * Another client that leads goes on to do so until something is typed here. Where nobody does, this window leads however
 * narrow it is: unlike a page it cannot show the picture smaller.
 */
async function firstLook(client: DaemonClient, { ref, size }: Sought): Promise<Result<Look | null>> {
  if (size === null) return done(null)
  const look = async (lead: Lead): Promise<Result<Look>> => {
    const answer = await client.request('terminal.look', { terminal: ref, size, lead })
    return answer.ok ? done(answer.value.result) : answer
  }
  const seen = await look('ifFree')
  return seen.ok && seen.value.terminal.sizedBy.kind === 'nobody' ? await look('yes') : seen
}

const lookedOf = ({ client, terminal: { sizedBy } }: Look): Looked => ({
  leads: sizedBy.kind === 'client' && sizedBy.client === client,
  sizedBy,
})

/** The snapshot to begin with, at the size that was decided where the daemon's screen gets there in time. */
async function pictureOf(client: DaemonClient, { ref, size, history }: Sought & { readonly history: number }): Promise<Result<Attached>> {
  const deadline = Date.now() + RESIZE_SHOWN_WITHIN_MS
  for (;;) {
    const picture = await client.request('terminal.attach', { terminal: ref, history })
    if (!picture.ok || size === null || isSameSize(picture.value.result.size, size) || Date.now() > deadline) return picture
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

type Parts = {
  readonly first: Attached
  /** Null where there is no window to look through. */
  readonly look: Look | null
  readonly client: DaemonClient
  readonly own: OwnTerminal
  readonly keys: DetachKeys
  readonly host: Host
}

function follow({ first, look, client, own, keys, host }: Parts): Promise<Ending> {
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
        if (other.isShown) other.changed()
        if (shown.length === 0 || other.isShown) taken()
        else own.show(shown, taken)
      },
      onGap: () => (scrolling.takesGap() ? undefined : void repaint(null)),
      onResized: (size) => sizes.programSized(size),
      onExited: (status) => over({ text: `ended: ${statusText(status)}`, code: EXIT.ended }),
      onLost: (why, ended) => over({ text: ended ? `ended: ${why}` : `lost: ${why}`, code: ended ? EXIT.ended : EXIT.refused }),
      onInputHeld: (held) => void (held ? host.stdin.pause() : host.stdin.resume()),
      fate: () => fateOf(client, first),
    })
    let isUnpainted = false
    const repaint = async (size: Size | null): Promise<void> => {
      const picture = await pictureOf(client, { ref: terminal.id, size, history: 0 })
      // What the program prints can be shown without it; only the picture so far waits for the daemon.
      isUnpainted = !picture.ok && picture.refusal.code === 'daemon-unreachable' && size !== null
      if (isUnpainted) return
      if (!picture.ok) return end({ text: `lost: ${picture.refusal.message}`, code: EXIT.refused })
      paint(picture.value)
    }
    const paint = (picture: Attached): void => {
      own.wipe()
      own.show(picture.blob)
      goOn(positionOf(picture))
      sizes.programSized(picture.result.size)
      other.again()
    }
    const goOn = (position: Position): void => {
      filter = createQueryFilter()
      follower.moveTo(position)
    }
    const scrolling = new Scrolling({
      client,
      terminal: terminal.id,
      own,
      position: () => follower.position,
      paint,
      goOn,
      repaint: () => repaint(null),
      end,
    })
    const other = new OtherSizeView({
      read: async () => {
        if (client.state.kind !== 'connected') return null
        const answer = await client.request('terminal.read', { terminal: terminal.id, history: 0, format: 'ansi' })
        return answer.ok ? answer.value.result.content : null
      },
      write: (text) => {
        if (!scrolling.isOpen) own.show(Buffer.from(text))
      },
      window: () => own.size,
    })
    const looked = look === null ? null : lookedOf(look)
    const sizes = new SizeKeeper(
      { told: own.size, looked, program: first.result.size },
      {
        current: () => own.size,
        isConnected: () => client.state.kind === 'connected',
        look: async (size, lead) => {
          const answer = await client.request('terminal.look', { terminal: terminal.id, size, lead })
          return answer.ok ? lookedOf(answer.value.result) : null
        },
        tellHolder: (size) => follower.resize(size),
        onForeign: (foreign) => {
          if (foreign !== null) return other.show(foreign)
          other.leave()
          if (!scrolling.isOpen) void repaint(own.size) // else the way back from there paints everything
        },
      },
    )

    // First of all: a signal may come as soon as something is seen.
    cleanUp.push(onSignals(() => end({ text: `detached from ${terminal.name ?? terminal.id}`, code: EXIT.refused }), own))
    own.enter()
    own.freshen()
    own.show(first.blob)
    sizes.start()
    void own.passOutputUnchanged().then(() => follower.start())
    host.stdout.on('resize', sizes.windowChanged)
    host.stdout.on('resize', scrolling.windowChanged)
    cleanUp.push(() => follower.close())
    cleanUp.push(() => other.leave())
    cleanUp.push(() => scrolling.close())
    cleanUp.push(() => sizes.close())
    cleanUp.push(() => host.stdout.off('resize', sizes.windowChanged))
    cleanUp.push(() => host.stdout.off('resize', scrolling.windowChanged))
    cleanUp.push(
      client.onState(({ kind }) => {
        if (kind !== 'connected') return
        sizes.daemonIsBack()
        if (isUnpainted) void repaint(own.size)
        other.changed()
      }),
    )
    cleanUp.push(
      typeInto({
        input: host.stdin,
        keys,
        send: (bytes) => {
          if (scrolling.takesTyped(bytes)) return
          follower.input(bytes)
          if (isTyped(bytes)) sizes.typed()
          if (bytes.includes(ENTER)) void client.request('terminal.seen', { terminal: terminal.id, entered: true })
        },
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
