import { expect, test } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { HealthView, WatchedView } from '../../wire/healthView.ts'
import { standingOf, troubleOf, withTrouble, worstFirst } from './healthWords.ts'

const watched = (name: string, changes: Partial<WatchedView> = {}): WatchedView => ({
  ...{ id: name, kind: 'holder', name, terminal: null, state: 'alive', since: 1, why: null },
  ...{ strikes: 0, attempts: 0, answeredInMs: 1, nextCheckAt: 2 },
  ...changes,
})
const health = (overall: HealthView['overall'], ...all: WatchedView[]): HealthView => ({
  ...{ at: 1, overall, watched: all },
  load: { stage: 0, why: null, shed: [] },
})

test('where all is well nothing more is said', () => {
  expect(standingOf(health('well', watched('a'), watched('b')), 'live')).toEqual({
    ...{ tone: 'well', word: null, head: 'OK', sentences: [] },
  })
})

test('what has not been checked yet is not called well', () => {
  const view = health('well', watched('a'), watched('b', { state: 'verifying' }), watched('c', { state: 'unknown' }))
  expect(standingOf(view, 'live')).toEqual({ tone: 'well', word: null, head: 'No problems found; 2 of 3 not checked yet', sentences: [] })
})

test('without a daemon nothing is known, whatever was known before', () => {
  expect(standingOf(health('well', watched('a')), 'away')).toMatchObject({ tone: 'unknown', sentences: ['The daemon is away.'] })
  expect(standingOf(null, 'live')).toMatchObject({ tone: 'unknown', sentences: [] })
})

test('one that was silent once is being checked, which alarms nobody', () => {
  const view = health('degraded', watched('api', { state: 'verifying', why: 'it was silent for 5 s' }))
  expect(standingOf(view, 'live')).toEqual({
    tone: 'unknown',
    word: null,
    head: 'Checking…',
    sentences: ['api: it was silent for 5 s'],
  })
})

test('what is wrong is said with its reason, the worst first, and the load last', () => {
  const view: HealthView = {
    ...health('ill', watched('disk', { kind: 'disk', why: 'it is nearly full' }), watched('api', { state: 'dead', why: 'it is silent' })),
    load: { stage: 2, why: 'memory is short', shed: ['nothing is indexed'] },
  }
  const { tone, sentences } = standingOf(view, 'live')
  expect([tone, sentences]).toEqual(['ill', ['api: it is silent', 'disk: it is nearly full', 'memory is short; nothing is indexed']])
})

test('degraded is degraded', () => {
  expect(standingOf(health('degraded', watched('disk', { why: 'it is nearly full' })), 'live').tone).toBe('degraded')
})

test('the worst come first, and what is only asked comes before what is well', () => {
  const states = ['alive', 'unknown', 'verifying', 'recovering', 'dead', 'failed'] as const
  const all = [...states.map((state) => watched(state, { state })), watched('noted', { why: 'slow' })]
  expect(worstFirst(all).map(({ name }) => name)).toEqual(['failed', 'dead', 'recovering', 'noted', 'verifying', 'unknown', 'alive'])
})

test('a terminal says that its holder does not answer, by what is known best, and never twice', () => {
  const terminal = terminalView({ id: 't1' })
  const dead = watched('x', { terminal: 't1', state: 'dead', why: 'it is silent; its program lives' })
  expect(troubleOf(terminal, health('ill', dead))).toEqual({ tone: 'ill', words: 'Not answering', why: 'it is silent; its program lives' })
  expect(withTrouble(terminal, health('ill', dead))).toMatchObject({ trouble: 'Not answering: it is silent; its program lives' })
  expect(withTrouble(terminal, health('degraded', { ...dead, state: 'verifying' }))).toBe(terminal)
  expect(troubleOf(terminalView({ id: 't1', trouble: 'silence' }), null)).toMatchObject({ tone: 'degraded', why: 'silence' })
  expect(troubleOf(terminal, health('ill', watched('x', { terminal: 't2', state: 'dead', why: 'gone' })))).toBeNull()
  expect(troubleOf(terminal, health('well', watched('x', { terminal: 't1', state: 'verifying' })))).toBeNull()
  expect(troubleOf(terminalView({ id: 't1', state: 'asleep' }), health('ill', dead))).toBeNull()
})
