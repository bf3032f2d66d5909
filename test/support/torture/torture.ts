/**
 * Kills daemons and holders while they are at work, again and again on one state directory, and asks after each time
 * whether everything that was promised is there, and nothing else.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Instance, type Starting, signal } from './instance.ts'
import { faultsAfterCrash, faultsAtRest, quietSight } from './invariants.ts'
import { holdersOf, killEverything } from './killing.ts'
import { certain, compare, emptyModel, fateOf, loseRun, type Model, type Sight } from './model.ts'
import { operationFor, randomOperation } from './operations.ts'
import { PowerCut } from './powerCut.ts'
import type { Random } from './random.ts'
import { DAEMON_POINTS, ENDING_POINTS, HOLDER_POINTS, passesOf, STORE_POINTS } from './tripPoints.ts'

export type Kind = 'trip' | 'moment' | 'holders' | 'both' | 'stop' | 'power'

/** What a round did, for the report: where somebody died, and what was asked for before. */
export type Account = { readonly kind: Kind; readonly where: string; readonly asked: readonly string[] }

export class Torture {
  readonly model: Model = emptyModel()
  private instance: Instance | null = null
  private sight: Sight = { terminals: [], workspaces: [] }
  private faults: string[] = []
  private asked: string[] = []

  constructor(
    private readonly home: { readonly path: string },
    private readonly random: Random,
  ) {}

  /** A first daemon, and terminals to begin with. */
  async begin(): Promise<void> {
    const instance = await this.up()
    const client = instance.client
    if (client === null) throw new Error(`the first daemon did not start: ${instance.errors}`)
    this.sight = await quietSight(this.home, client)
    this.model.workspaces = this.sight.workspaces.map(({ id, name }) => ({ id, names: [name], exists: 'yes' }))
  }

  /** Sentences about what is not as it should be; none when all is well. */
  async round(kind: Kind): Promise<{ readonly faults: readonly string[]; readonly account: Account }> {
    this.faults = []
    this.asked = []
    const killedAt = Date.now() // at the earliest
    const where = await this.carryOut(kind)
    await this.verify({ killedAt, powerWasCut: kind === 'power' })
    return { faults: this.faults, account: { kind, where, asked: this.asked } }
  }

  async finish(): Promise<void> {
    const instance = this.instance
    if (instance === null) return
    await instance.client?.request('daemon.stop', { all: true })
    await instance.gone()
  }

  private async carryOut(kind: Kind): Promise<string> {
    switch (kind) {
      case 'trip':
        return await this.dieAtPoint()
      case 'moment':
        return await this.dieAtMoment({ withHolders: false })
      case 'both':
        return await this.dieAtMoment({ withHolders: true })
      case 'holders':
        return await this.loseHolders()
      case 'stop':
        return await this.dieWhileStopping()
      case 'power':
        return await this.losePower()
    }
  }

  private async dieAtPoint(): Promise<string> {
    const { random } = this
    const isLive = certain(this.model).some((each) => fateOf(each) === 'live')
    const points = isLive && random.chance(0.4) ? ENDING_POINTS : random.pick([DAEMON_POINTS, DAEMON_POINTS, STORE_POINTS, HOLDER_POINTS])
    const point = random.pick(points ?? []) ?? ''
    const armed = await this.restart({ trip: armedAt(point, random) })
    const work = this.work(armed, { holdersMayDie: HOLDER_POINTS.includes(point), point })
    await Promise.race([work, armed.ended])
    const isReached = armed.isOver
    await armed.kill()
    const holdersToo = random.chance(0.3)
    if (holdersToo) await killEverything(this.home)
    await work
    if (holdersToo) this.loseAll()
    return `${HOLDER_POINTS.includes(point) ? `every new holder at ${point}` : reached(point, isReached)}${holdersToo ? ', and all holders' : ''}`
  }

  private async dieAtMoment({ withHolders }: { readonly withHolders: boolean }): Promise<string> {
    const instance = await this.current()
    const daemonFirst = !withHolders || this.random.chance(0.5)
    const answers = daemonFirst && this.random.chance(0.6) ? 1 + this.random.below(3) : null
    const work = this.work(instance, { holdersMayDie: !daemonFirst, ...(answers !== null && { answers }) })
    await (answers === null ? delay(this.random.below(300)) : Promise.race([work, instance.ended]))
    if (daemonFirst) await instance.kill()
    if (withHolders) await killEverything(this.home)
    await instance.gone()
    await work
    if (withHolders) this.loseAll()
    const when = answers === null ? 'at a moment' : 'with an answer'
    return withHolders ? `${when}, ${daemonFirst ? 'the daemon' : 'the holders'} first` : when
  }

  /** The daemon sees it, and lives or dies a moment later. */
  private async loseHolders(): Promise<string> {
    const instance = await this.current()
    const live = certain(this.model).filter((each) => fateOf(each) === 'live')
    const victims = live.filter(() => this.random.chance(0.5))
    const pids = new Map(holdersOf(this.home).map(({ pid, command }) => [/ (t[0-9a-z]{10})/.exec(command)?.[1] ?? '', pid]))
    const work = this.work(instance, { holdersMayDie: true })
    await delay(this.random.below(100))
    for (const { id } of victims) signal(pids.get(id ?? '') ?? 0, 'SIGKILL')
    const daemonToo = this.random.chance(0.5)
    if (daemonToo) await instance.kill()
    await work
    for (const victim of victims) loseRun(this.model, victim)
    return daemonToo ? 'some, then the daemon' : 'some'
  }

  private async dieWhileStopping(): Promise<string> {
    const { random } = this
    const point = random.pick(STORE_POINTS) ?? ''
    const armed = await this.restart({ trip: armedAt(point, random) })
    const work = this.work(armed, { holdersMayDie: false })
    await delay(random.below(250))
    armed.askToStop()
    await Promise.race([armed.ended, delay(random.below(400))])
    const isReached = armed.end?.signal === 'SIGKILL'
    await armed.kill()
    await work
    return reached(point, isReached)
  }

  /** Everything stops at once, and of what was written only what was synced is sure to be there. */
  private async losePower(): Promise<string> {
    const { random, home } = this
    await this.instance?.kill()
    await killEverything(home)
    this.loseAll()
    using cut = new PowerCut(home.path)
    const point = random.chance(0.5) ? (random.pick([...DAEMON_POINTS, ...STORE_POINTS]) ?? '') : null
    const instance = await this.up({ under: cut.tracer, ...(point && { trip: armedAt(point, random) }) })
    const work = this.work(instance, { holdersMayDie: false })
    await Promise.race([work, instance.ended, delay(200 + random.below(1_200))])
    await killEverything(home)
    await instance.gone()
    await work
    this.loseAll()
    return cut.restore(random)
  }

  /** Several things under way at once, each begun when it may. With `answers`, the daemon dies in the moment of that many. */
  private async work(
    instance: Instance,
    { holdersMayDie, point, answers }: { readonly holdersMayDie: boolean; readonly point?: string; readonly answers?: number },
  ): Promise<void> {
    const { random, model } = this
    let answered = 0
    const heard = (): void => {
      answered += 1
      if (answered === answers) signal(instance.pid, 'SIGKILL')
    }
    const running: Promise<void>[] = []
    for (let left = 3 + random.below(6); left > 0; left -= 1) {
      const { client } = instance
      if (client === null || instance.end !== null) break
      const circumstances = { model, random, holdersMayDie }
      const operation = point === undefined || random.chance(0.4) ? randomOperation(circumstances) : operationFor(point, circumstances)
      if (operation === null) continue
      this.asked.push(operation.what)
      running.push(operation.run(client, heard).catch((error: Error) => void this.faults.push(error.message)))
      if (random.chance(0.4)) await delay(random.below(60))
    }
    await Promise.all(running)
  }

  private async verify(death: { readonly killedAt: number; readonly powerWasCut: boolean }): Promise<void> {
    if (this.instance?.end !== null) {
      this.faults.push(...this.endFaults(), ...(await faultsAfterCrash(this.home)))
      await this.up()
    }
    const { instance, model } = this
    if (instance?.client == null) return void this.faults.push(`no daemon starts any more: ${instance?.errors}`)
    const before = this.sight
    this.sight = await quietSight(this.home, instance.client)
    this.faults.push(...compare(model, before, this.sight))
    this.faults.push(...(await faultsAtRest(this.home, instance.client, { model, sight: this.sight, ...death })))
  }

  /** It may be killed, or end as it was told to, in order or before it could; it never ends by itself. */
  private endFaults(): string[] {
    const { end, errors } = this.instance ?? {}
    const isExpected = end?.signal === 'SIGKILL' || end?.signal === 'SIGTERM' || end?.code === 0
    return isExpected ? [] : [`the daemon ended by itself (${end?.code ?? end?.signal}): ${errors}`]
  }

  private async current(): Promise<Instance> {
    return this.instance === null || this.instance.end !== null ? await this.up() : this.instance
  }

  private async restart(starting: Starting): Promise<Instance> {
    await this.instance?.kill()
    return await this.up(starting)
  }

  private async up(starting: Starting = {}): Promise<Instance> {
    this.instance = new Instance(this.home, starting)
    await this.instance.isUp()
    return this.instance
  }

  private loseAll(): void {
    for (const expected of this.model.terminals) loseRun(this.model, expected)
  }
}

const armedAt = (point: string, random: Random): string => {
  const pass = 1 + random.below(passesOf(point))
  return pass === 1 ? point : `${point}#${pass}`
}

const reached = (point: string, isReached: boolean): string => (isReached ? point : `after ${point}, which was not reached`)
