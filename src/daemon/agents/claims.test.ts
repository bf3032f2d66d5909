import { expect, test } from 'vitest'
import { asleep, live, runId, terminalId } from '../../../test/support/terminals.ts'
import { claude } from '../../agents/programs/claude.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { Claims } from './claims.ts'
import { type Moved, newWatched, type SeenAgent, type Watched } from './watched.ts'

const claimsOf = (terminals: readonly Terminal[], watched: readonly Watched[] = [], closed: readonly Terminal[] = []) =>
  new Claims({ terminals: () => terminals, closed: () => closed, watched: () => watched })

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
  return { ...newWatched(terminalId(number), runId(number), 0), agent, lookedAt: 100_000 }
}

test('a conversation is claimed by the terminal that keeps it, awake or asleep, and by the one that was just seen with it', () => {
  const terminals = [live({ id: one, restore: conversation('kept') }), live({ id: two })]
  const claims = claimsOf(terminals, [watching(2, { bound: 'seen' })])
  expect([...claims.ofOthers(terminalId(3), 'claude')]).toEqual([
    ['kept', one],
    ['seen', two],
  ])
  expect([...claims.ofOthers(one, 'claude').keys()]).toEqual(['seen'])
  expect([...claims.ofOthers(terminalId(3), 'codex')]).toEqual([])
})

test('a terminal whose user has left the agent claims nothing', () => {
  const claims = claimsOf([live({ id: one, restore: { kind: 'quit', agent: 'claude', id: 'kept' } })])
  expect([...claims.ofOthers(two, 'claude')]).toEqual([])
})

test('a terminal that was closed claims nothing, also while what was seen of its run is still kept', () => {
  const claims = claimsOf([live({ id: one })], [watching(2, { bound: 'seen' })], [asleep({ id: two, restore: conversation('kept') })])
  expect([...claims.ofOthers(one, 'claude')]).toEqual([])
})

test('rivals are the others with the same agent in the same directory', () => {
  const mine = watching(1, {})
  const claims = claimsOf([], [mine, watching(2, { bound: 'x' }), watching(3, { cwd: '/elsewhere' })])
  expect(claims.rivalsOf(mine, 50_000)).toEqual([{ startedAt: 2, workingSince: null, hasSince: 7, entered: [], seenSince: 0 }])
})

test('two that were seen to move at almost the same time have moved together, unless it is known exactly', () => {
  const beside = (mine: Moved, theirs: Moved) => {
    const watched = watching(1, { moved: mine })
    const claims = claimsOf([], [watched, watching(2, { moved: theirs })])
    return claims.rivalsOf(watched, 50_000)[0]?.workingSince
  }
  expect(beside({ at: 10_000, isExact: true }, { at: 11_000, isExact: true })).toBe(11_000)
  expect(beside({ at: 10_000, isExact: true }, { at: 11_000, isExact: false })).toBe(10_000)
  expect(beside({ at: 10_000, isExact: false }, { at: 20_000, isExact: false })).toBe(20_000)
})

test('a conversation that another terminal has had, or is closed with, is not taken from a directory', () => {
  const quit = live({ id: one, restore: { kind: 'quit', agent: 'claude', id: 'quit' } })
  const claims = claimsOf([quit], [], [asleep({ id: terminalId(3), restore: conversation('closed') })])
  claims.remember('claude', 'before', one)
  claims.remember('claude', 'own', two)
  expect([...claims.hadByOthers(two, 'claude', ['quit', 'closed', 'before', 'own', 'new'])]).toEqual(['quit', 'closed', 'before'])
  expect([...claims.hadByOthers(two, 'codex', ['quit', 'closed', 'before'])]).toEqual([])
})

test('an agent that has ended is a rival for what began before its end, and so is one of which only the record tells', () => {
  const mine = watching(1, {})
  const lost = asleep({ id: terminalId(3), since: 90, created: 5, restore: { kind: 'unknown', agent: 'claude' } })
  const claims = claimsOf([lost], [mine])
  claims.agentEnded(watching(2, {}), 77)
  expect(claims.rivalsOf(mine, 50)).toMatchObject([
    { startedAt: 2, seenSince: 0, endedAt: 77 },
    { startedAt: 5, seenSince: Number.POSITIVE_INFINITY, endedAt: 90 },
  ])
})

test('a terminal that has printed since it was last looked at is a rival of which nothing was seen', () => {
  const mine = watching(1, {})
  const other = { ...newWatched(two, runId(2), 0), lookedAt: 40, entered: [45] }
  expect(claimsOf([], [mine, other]).rivalsOf(mine, 50)).toMatchObject([{ entered: [45], seenSince: Number.POSITIVE_INFINITY }])
  expect(claimsOf([], [mine, { ...other, lookedAt: 60 }]).rivalsOf(mine, 50)).toEqual([])
  expect(claimsOf([], [mine, { ...other, closeLooks: 1 }]).rivalsOf(mine, 50)).toEqual([])
})
