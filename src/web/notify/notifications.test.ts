import { describe, expect, test } from 'vitest'
import { pageSettings } from '../../../test/support/pageSettings.ts'
import { agentView, terminalView } from '../../../test/support/terminalView.ts'
import type { AgentView, TerminalView } from '../../wire/view.ts'
import { badgeOf, iconOf, isQuiet, knownOf, type Looking, mayNotify, notesOf, titleOf } from './notifications.ts'

const agent = (state: AgentView['state'], changes: Partial<AgentView> = {}): AgentView =>
  agentView({ name: 'codex', label: 'Codex', state, since: 1, ...changes })
const view = (changes: Partial<TerminalView> = {}): TerminalView => terminalView({ id: 'a', name: 'api', ...changes })
const ELSEWHERE: Looking = { isVisible: false, hasFocus: false, focused: 'a' }
const HERE: Looking = { isVisible: true, hasFocus: true, focused: 'a' }
const notes = (before: TerminalView, after: TerminalView, looking = ELSEWHERE) =>
  notesOf(knownOf([before]), [after], looking).map(({ kind, title, text }) => `${kind} ${title}: ${text}`)
const working = view({ agent: agent('working') })

describe('a note', () => {
  test('is made when an agent needs somebody or is done', () => {
    const needs = view({ agent: agent('needs-you', { wants: 'permission', words: 'Run rm?' }) })
    expect(notes(working, needs)).toEqual(['needsYou api: Codex asks for permission: Run rm?'])
    expect(notes(working, view({ agent: agent('done') }))).toEqual(['done api: Codex is done'])
  })

  test('is made once for each change, and again for the next one', () => {
    const first = view({ agent: agent('needs-you', { words: 'This?' }) })
    expect(notes(first, { ...first, title: 'another title' })).toEqual([])
    expect(notes(first, view({ agent: agent('needs-you', { words: 'That?' }) }))).toHaveLength(1)
  })

  test('is not made again of what a daemon finds that comes back', () => {
    const first = view({ agent: agent('needs-you', { since: 1 }) })
    const away = knownOf([view({ agent: agent('unknown') })], knownOf([view()], knownOf([first])))
    expect(notesOf(away, [view({ agent: agent('needs-you', { since: 2 }) })], ELSEWHERE)).toEqual([])
    const worked = knownOf([working], away)
    expect(notesOf(worked, [first], ELSEWHERE)).toHaveLength(1)
  })

  test('is not made of what was so already', () => {
    expect(notesOf(new Map(), [view({ agent: agent('needs-you') })], ELSEWHERE)).toEqual([])
  })

  test('is not made for who looks at it, but for who looks at another terminal, or away', () => {
    const needs = view({ agent: agent('needs-you') })
    expect(notes(working, needs, HERE)).toEqual([])
    expect(notes(working, needs, { ...HERE, focused: 'b' })).toHaveLength(1)
    expect(notes(working, needs, { ...HERE, hasFocus: false })).toHaveLength(1)
  })

  test('is made of a program that ended only while nobody sees the page', () => {
    const ended = view({ state: 'asleep', because: { kind: 'exited', status: { code: 3 } } })
    expect(notes(view(), ended)).toEqual(['ended api: Ended with code 3'])
    expect(notes(view(), ended, { ...HERE, focused: 'b' })).toEqual([])
    expect(notes(view(), view({ state: 'asleep', because: { kind: 'slept' } }))).toEqual([])
    expect(notes(ended, { ...ended, run: 'r2' })).toEqual([])
  })

  test('is not made of a terminal that is muted', () => {
    expect(notes(working, view({ muted: true, agent: agent('needs-you') }))).toEqual([])
  })

  test('is short', () => {
    expect(notes(working, view({ agent: agent('done', { words: 'x'.repeat(1_000) }) }))[0]?.length).toBeLessThan(200)
  })
})

test('quiet hours are kept, over midnight too', () => {
  const at = (time: string) => new Date(`2026-01-05T${time}:00`)
  const quiet = (hours: string) => ['06:59', '07:00', '12:00', '21:59', '22:00', '23:59', '00:00'].map((time) => isQuiet(hours, at(time)))
  expect(quiet('22:00-07:00')).toEqual([true, false, false, false, true, true, true])
  expect(quiet('07:00-22:00')).toEqual([false, true, true, true, false, false, false])
  expect([...quiet(''), ...quiet('nonsense')]).not.toContain(true)
  expect(mayNotify(pageSettings({ quietHours: '22:00-07:00' }), at('23:00'))).toBe(false)
  expect(mayNotify(pageSettings(), at('23:00'))).toBe(true)
  expect(mayNotify(pageSettings({ notifications: false }), at('12:00'))).toBe(false)
})

test('the title and the icon say how many need somebody', () => {
  expect([titleOf(0, null), titleOf(0, 'api'), titleOf(2, 'api')]).toEqual(['Holdfast', 'api · Holdfast', '(2) api · Holdfast'])
  expect(badgeOf([view({ agent: agent('needs-you') }), view({ agent: agent('needs-you'), muted: true }), working])).toBe(1)
  expect(decodeURIComponent(iconOf(3))).toContain('>3</text>')
  expect(decodeURIComponent(iconOf(12))).toContain('>9+</text>')
  expect(iconOf(0)).not.toContain('text')
})
