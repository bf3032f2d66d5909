import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { buildHolder, Holders, type RealHolder, sh, typed } from '../../../test/support/realHolder.ts'
import type { ProgramStatus } from '../../agents/programStatus.ts'
import { SaidStatus } from './saidStatus.ts'
import type { SessionOrder } from './screenMessages.ts'
import { ScreenSession } from './screenSession.ts'
import { UNHEARD } from './sessionEvents.ts'

describe('what a program says about how it does', () => {
  const heard: string[] = []
  beforeEach(() => heard.splice(0))
  const listener = () => new SaidStatus(({ state }) => heard.push(state))

  it('is told once for all that came before somebody followed it', () => {
    const status = listener()
    for (const state of ['idle', 'working', 'blocked']) {
      status.said(`state=${state}`)
      status.pass()
    }
    expect(heard).toEqual([])
    status.follow()
    status.pass()
    expect(heard).toEqual(['needs-you'])
  })

  it('is told as it comes from then on, the last of what came in one go', () => {
    const status = listener()
    status.follow()
    status.said('state=working')
    status.pass()
    status.said('state=done')
    status.said('state=idle')
    status.pass()
    expect(heard).toEqual(['working', 'idle'])
  })

  it('is nothing when it takes it back', () => {
    const status = listener()
    status.follow()
    status.said('')
    status.pass()
    expect(heard).toEqual(['unknown'])
  })
})

describe('a screen that follows a program', () => {
  const holders = new Holders()
  const sessions: ScreenSession[] = []
  let directory = ''
  beforeAll(buildHolder)
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'r-'))
  })
  afterEach(async () => {
    for (const session of sessions.splice(0)) session.close()
    await holders.endAll()
    rmSync(directory, { recursive: true, force: true })
  })

  async function follow({ order }: RealHolder, snapshot: SessionOrder['snapshot'] = null) {
    const heard: ProgramStatus[] = []
    const source = { kind: 'holder', socketPath: order.socketPath } as const
    const { run, size } = order
    const session = new ScreenSession(
      { run, source, directory, anchorEvery: 2_000, size, scrollback: 100, snapshot },
      { ...UNHEARD, stated: (status) => heard.push(status) },
    )
    sessions.push(session)
    await session.start()
    return { session, states: () => heard.map(({ state }) => state) }
  }

  const say = (data: string): string => `printf '\\033]7501;${data}\\033\\\\'`

  it('answers the query once, hears what it says, and after a restart only how it does now', async () => {
    const script = `stty -echo -icanon; ${say('?')}; dd bs=1 count=10 2>/dev/null | od -An -c | tr -d ' \\n'; ${say('state=idle')}; read a; ${say('state=working')}; read b; ${say('state=blocked:kind=permission')}; read c`
    const holder = await holders.start(sh(script))
    const control = await holder.link()
    const first = await follow(holder)
    await until(() => first.states().at(-1) === 'idle', { what: 'the first status' })
    expect(first.session.screen.text()).toContain('033]7501;?033')
    control.send(typed('\n'))
    await until(() => first.states().at(-1) === 'working', { what: 'work' })
    const kept = await first.session.snapshot({ ended: false })
    control.send(typed('\n'))
    await until(() => first.states().at(-1) === 'needs-you', { what: 'a question' })
    first.session.close()

    const fromTheLog = await follow(holder)
    expect(fromTheLog.states()).toEqual(['needs-you'])
    expect(fromTheLog.session.screen.text()).toContain('033]7501;?033')
    fromTheLog.session.close()
    const fromASnapshot = await follow(holder, kept)
    expect(fromASnapshot.states()).toEqual(['needs-you'])
  })

  it('knows from its snapshot how a program does that has said so before', async () => {
    const holder = await holders.start(sh(`${say('state=working')}; read a`))
    const first = await follow(holder)
    await until(() => first.states().length === 1, { what: 'the status' })
    const kept = await first.session.snapshot({ ended: false })
    first.session.close()
    expect(kept?.seq).toBeGreaterThan(0)
    expect((await follow(holder, kept)).states()).toEqual(['working'])
  })
})
