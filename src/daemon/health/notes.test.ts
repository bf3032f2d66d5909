import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import type { SessionId } from '../../base/ids.ts'
import { Notes } from './notes.ts'
import { answered, type Watched } from './watched.ts'

const part: Watched = { id: 'store', kind: 'store', terminal: null, name: () => 'store', check: async () => answered(), recover: null }
const note = { kind: 'note', from: 'alive', to: 'dead', why: 'no' } as const

function notes() {
  const kept: { details: unknown }[] = []
  const at = { now: 0 }
  const store = {
    fails: false,
    appendAudit: (entry: { details: unknown }) =>
      store.fails ? Promise.reject(new Error('down')) : Promise.resolve(void kept.push(entry)),
  }
  const all = new Notes({ log: pino({ level: 'silent' }), store, session: 's' as SessionId, now: () => at.now })
  return { all, kept, store, at }
}

it('one that comes and goes all the time is only counted after a while', () => {
  const { all, kept, at } = notes()
  for (let count = 0; count < 500; count++) all.changed(part, note)
  expect(kept).toHaveLength(20)
  at.now = 11 * 60_000
  all.changed(part, note)
  expect(kept.at(-1)?.details).toMatchObject({ id: 'store', from: 'alive', to: 'dead', untold: 480 })
})

it('what could not be kept is kept once the store is back', async () => {
  const { all, kept, store } = notes()
  store.fails = true
  all.changed(part, note)
  await vi.waitFor(() => expect(kept).toEqual([]))
  await Promise.resolve()
  store.fails = false
  all.changed(part, { ...note, from: 'dead', to: 'alive', why: null })
  expect(kept.map(({ details }) => (details as { to: string }).to)).toEqual(['dead', 'alive'])
})
