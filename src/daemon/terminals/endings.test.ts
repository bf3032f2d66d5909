import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { runId } from '../../../test/support/terminals.ts'
import type { AgentProcess } from '../../agents/agent.ts'
import { agentNamed } from '../../agents/programs/all.ts'
import { systemProcesses } from '../../holder/processes.ts'
import { defaultConfig } from '../../wire/config/config.ts'
import type { ToHolder } from '../../wire/holder.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import { Endings, type EndingsWorld, hangUpAfter, termAfter } from './endings.ts'

const RUN = runId(1)
const EXITED = { kind: 'exited', status: { code: 0 } } as const

/** A real process under the name of an agent, and a holder that only remembers what it was told. */
class Scene {
  readonly told: string[] = []
  readonly heard: string[] = []
  readonly events: TerminalEvent[] = []
  /** How much of what was printed was waited for on the screen. */
  shown = 0
  readonly child: ChildProcess = spawn('sleep', ['60'])
  onInput: () => void = () => undefined
  live: readonly { readonly state: 'live'; readonly run: string }[] = []
  readonly endings: Endings

  constructor(agent: string | null, screen = '') {
    const process = { agent, process: { pid: this.child.pid }, pids: [this.child.pid] } as unknown as AgentProcess
    const world = {
      holders: {
        ensure: () => Promise.resolve(),
        card: () => ({ holderPid: 1, holderStart: '' }),
        refresh: () => Promise.resolve({ seq: 12 }),
        send: (_: string, message: ToHolder) => this.take(message),
      },
      registry: { all: () => this.live, byRun: () => this.live[0] ?? { state: 'settling' } },
      screens: {
        waitShown: (_: string, seq: number) => {
          this.shown = seq
          return { found: Promise.resolve(true), cancel: () => undefined }
        },
        snapshot: () => Promise.resolve(null),
        read: () => Promise.resolve({ content: screen }),
      },
      agents: {
        of: () => (agent === null ? null : process),
        heard: (_: string, text: string) => Promise.resolve(void this.heard.push(text)),
      },
      agentNamed: (name: string) => agentNamed(defaultConfig.agents, name),
      happened: (_: string, event: TerminalEvent) => void this.events.push(event),
      isHolderAlive: () => true,
      log: { warn: () => undefined },
    } as unknown as EndingsWorld
    this.endings = new Endings(world)
  }

  begin(graceMs: number): Promise<void> {
    return this.endings.begin({ run: RUN, graceMs }, null)
  }

  private take(message: ToHolder): boolean {
    if (message.kind === 'signal') this.told.push(`${message.request.signal} ${message.request.to}`)
    if (message.kind === 'input') {
      this.told.push([...message.bytes].join())
      this.onInput()
    }
    return true
  }
}

describe('a program that is to end', () => {
  let scene: Scene | null = null
  afterEach(() => scene?.child.kill('SIGKILL'))
  const told = async (): Promise<void> => {
    await until(() => scene?.events.some(({ kind }) => kind === 'exited') === true, { what: 'the end to be told' })
    expect(scene?.events.filter(({ kind }) => kind === 'exited')).toEqual([{ ...EXITED, run: RUN }])
  }
  const says = (count: number) => until(() => (scene?.told.length ?? 0) >= count, { what: `${count} messages in ${scene?.told}` })

  test('is hung up at once where it is no agent, asked by TERM later, and then is out of time', async () => {
    scene = new Scene(null)
    await scene.begin(80)
    expect(scene.told).toEqual(['SIGHUP tree', 'SIGCONT tree'])
    await says(3)
    expect(scene.told[2]).toBe('SIGTERM tree')
    await until(() => scene?.events.length === 1, { what: 'the time to be up' })
    expect(scene.events).toEqual([{ kind: 'settleTimedOut', run: RUN }])
    expect(scene.heard).toEqual([])
  })

  test('gets its own signal where it is an agent; its last words are heard before the line is hung up', async () => {
    scene = new Scene('claude', 'claude --resume x')
    const { child } = scene
    await scene.begin(5_000)
    await says(1)
    expect(scene.told).toEqual(['SIGTERM foreground'])
    child.kill('SIGKILL')
    await says(3)
    expect(scene.told).toEqual(['SIGTERM foreground', 'SIGHUP tree', 'SIGCONT tree'])
    expect(scene.heard).toEqual(['claude --resume x'])
    expect(scene.shown).toBeGreaterThanOrEqual(12)
    expect(scene.events).toEqual([])
    scene.endings.released(RUN)
  })

  test('gets its own keys, and not one more than it needs: what is in front then is not for us', async () => {
    scene = new Scene('codex')
    const { child } = scene
    scene.onInput = () => child.kill('SIGKILL')
    await scene.begin(5_000)
    await says(3)
    expect(scene.told).toEqual(['3', 'SIGHUP tree', 'SIGCONT tree'])
    scene.endings.released(RUN)
  })

  test('is waited for when the machine ends, even if no agent has left yet; its last words are heard', async () => {
    scene = new Scene('claude', 'claude --resume x')
    scene.live = [{ state: 'live', run: RUN }]
    scene.endings.leaveToNextDaemon()
    const heard = scene.endings.allHeard()
    scene.endings.ended(RUN, EXITED)
    await heard
    expect(scene.heard).toEqual(['claude --resume x'])
    expect(scene.events).toEqual([])
  })

  test('is hung up in time where it does not take its own way out', async () => {
    scene = new Scene('claude')
    await scene.begin(100)
    await says(4)
    expect(scene.told).toEqual(['SIGTERM foreground', 'SIGHUP tree', 'SIGCONT tree', 'SIGTERM tree'])
  })

  test('that ends as a whole is heard before that is told, and only once', async () => {
    scene = new Scene('claude', 'last words')
    await scene.begin(5_000)
    scene.child.kill('SIGKILL')
    scene.endings.ended(RUN, EXITED)
    scene.endings.ended(RUN, EXITED)
    expect(scene.events).toEqual([])
    await told()
    expect(scene.heard).toEqual(['last words'])
    scene.endings.released(RUN)
    const nobody = new Scene(null)
    nobody.endings.ended(RUN, EXITED)
    expect(nobody.events).toEqual([{ ...EXITED, run: RUN }])
    nobody.child.kill('SIGKILL')
    await once(nobody.child, 'exit')
  })

  test('is gone before its end is told, also where it outlives the shell it was started from', async () => {
    scene = new Scene('claude')
    await scene.begin(100)
    scene.endings.ended(RUN, EXITED)
    await told()
    expect(await systemProcesses().find(scene.child.pid ?? 0)).toBe(null)
  })

  test('and is asked again only has its deadline moved', async () => {
    scene = new Scene(null)
    await scene.begin(60_000)
    await scene.begin(20)
    await until(() => scene?.events.length === 1, { what: 'the time to be up' })
    expect(scene.told).toEqual(['SIGHUP tree', 'SIGCONT tree', 'SIGTERM tree'])
  })
})

test('each step has its time, and of a short one its share', () => {
  expect([hangUpAfter(2_500), termAfter(2_500)]).toEqual([1_900, 2_200])
  expect([hangUpAfter(100), termAfter(100)]).toEqual([50, 75])
})
