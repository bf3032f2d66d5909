import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { buildHolder, Holders, type RealHolder, sh, typed } from '../../../test/support/realHolder.ts'
import { ScreenSession } from './screenSession.ts'
import { UNHEARD } from './sessionEvents.ts'

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

  async function follow({ order: { run, size, socketPath } }: RealHolder) {
    let rings = 0
    const source = { kind: 'holder', socketPath } as const
    const order = { run, source, directory, anchorEvery: 2_000, size, scrollback: 100, snapshot: null }
    const session = new ScreenSession(order, { ...UNHEARD, rang: () => rings++ })
    sessions.push(session)
    await session.start()
    return { session, rings: () => rings }
  }

  it('hears the bell, but not what ends a title, and a later daemon hears only what is new', async () => {
    const holder = await holders.start(sh("printf '\\033]0;title\\007one'; read a; printf 'two\\007'; read b; printf 'three\\007'; read c"))
    const control = await holder.link()
    const first = await follow(holder)
    await until(() => first.session.screen.text().includes('one'), { what: 'the title' })
    expect(first.rings()).toBe(0)
    control.send(typed('\n'))
    await until(() => first.rings() === 1, { what: 'the bell' })
    first.session.close()

    const again = await follow(holder)
    expect([again.rings(), again.session.screen.text().includes('two')]).toEqual([0, true])
    again.session.close()
    control.send(typed('\n'))
    const later = await follow(holder) // from the first byte on: the bell that rang while nobody listened is among them
    await until(() => later.rings() === 1, { what: 'the bell that rang meanwhile' })
  })
})
