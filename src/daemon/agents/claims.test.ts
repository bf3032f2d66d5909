import { expect, test } from 'vitest'
import { live, runId, terminalId } from '../../../test/support/terminals.ts'
import { claude } from '../../agents/claude.ts'
import { claimsIn } from './claims.ts'
import { type Moved, newWatched, type SeenAgent, type Watched } from './watched.ts'

const [one, two] = [terminalId(1), terminalId(2)]
const conversation = (id: string) => ({ kind: 'conversation', agent: 'claude', id, provenance: 'hook', argv: ['claude'] }) as const

function watching(number: number, seen: { readonly bound?: string; readonly cwd?: string; readonly moved?: Moved }): Watched {
  const { bound, cwd = '/work', moved } = seen
  const finding = bound === undefined ? null : { id: bound, provenance: 'registration', transcript: null, began: 7 }
  const agent = {
    agent: claude,
    process: { cwd, startedAt: number },
    bound: finding,
    moves: moved === undefined ? [] : [moved],
  } as unknown as SeenAgent
  return { ...newWatched(terminalId(number), runId(number)), agent }
}

test('a conversation is claimed by the terminal that keeps it, awake or asleep, and by the one that was just seen with it', () => {
  const terminals = [live({ id: one, restore: conversation('kept') }), live({ id: two })]
  const claims = claimsIn(
    () => terminals,
    () => [watching(2, { bound: 'seen' })],
  )
  expect([...claims.ofOthers(terminalId(3), 'claude')]).toEqual([
    ['kept', one],
    ['seen', two],
  ])
  expect([...claims.ofOthers(one, 'claude').keys()]).toEqual(['seen'])
  expect([...claims.ofOthers(terminalId(3), 'codex')]).toEqual([])
})

test('a terminal whose user has left the agent claims nothing', () => {
  const claims = claimsIn(
    () => [live({ id: one, restore: { kind: 'quit', agent: 'claude', id: 'kept' } })],
    () => [],
  )
  expect([...claims.ofOthers(two, 'claude')]).toEqual([])
})

test('rivals are the others with the same agent in the same directory', () => {
  const mine = watching(1, {})
  const claims = claimsIn(
    () => [],
    () => [mine, watching(2, { bound: 'x' }), watching(3, { cwd: '/elsewhere' })],
  )
  expect(claims.rivalsOf(mine, 50_000)).toEqual([{ startedAt: 2, workingSince: null, hasSince: 7, entered: [] }])
})

test('two that were seen to move at almost the same time have moved together, unless it is known exactly', () => {
  const beside = (mine: Moved, theirs: Moved) => {
    const watched = watching(1, { moved: mine })
    const claims = claimsIn(
      () => [],
      () => [watched, watching(2, { moved: theirs })],
    )
    return claims.rivalsOf(watched, 50_000)[0]?.workingSince
  }
  expect(beside({ at: 10_000, isExact: true }, { at: 11_000, isExact: true })).toBe(11_000)
  expect(beside({ at: 10_000, isExact: true }, { at: 11_000, isExact: false })).toBe(10_000)
  expect(beside({ at: 10_000, isExact: false }, { at: 20_000, isExact: false })).toBe(20_000)
})
