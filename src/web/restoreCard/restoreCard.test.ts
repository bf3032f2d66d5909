import { describe, expect, it } from 'vitest'
import { type TerminalRow, terminalView } from '../../../test/support/terminalView.ts'
import type { offersOf, TerminalView } from '../../wire/view.ts'
import { choiceOf, chosenOf, groupsOf, headOf, progressOf, rowOf, stepOf, stepText, toggled } from './restoreCard.ts'

const offers = (changes: Partial<NonNullable<ReturnType<typeof offersOf>>> = {}) => ({
  resume: null,
  conversation: false,
  fresh: 'zsh',
  ...changes,
})
const lost = (changes: Partial<TerminalRow> = {}): TerminalView =>
  terminalView({ state: 'asleep', because: { kind: 'lost' }, offers: offers(), ...changes })
const repository = { root: '/home/mia/api', name: 'api', branch: 'main', worktree: null }

describe('what is said of a terminal that was running', () => {
  it('names its agent, its branch and the conversation that a resume goes on with', () => {
    const id = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01'
    const view = lost({
      name: 'fix',
      repository,
      conversation: id,
      back: { kind: 'resumed', agent: 'Claude Code', text: `resumed: conversation ${id}` },
    })
    expect(rowOf(view)).toEqual({
      id: 't1',
      name: 'fix',
      agent: 'Claude Code',
      place: 'main',
      goesOnWith: 'resumed: conversation 0198f7c1…',
      isCertain: true,
    })
  })

  it.each([
    ['new-conversation', 'Codex', 'new conversation: none was known for this terminal'],
    ['shell-unknown', null, 'shell: conversation of Codex unknown (none was known for this terminal)'],
    ['asks', 'Codex', 'asks first: "codex resume --last" could open a conversation of "api"'],
  ] as const)('says before anything starts that it is not the conversation from before: %s', (kind, agent, text) => {
    expect(rowOf(lost({ back: { kind, agent, text } }))).toMatchObject({ agent, goesOnWith: text, isCertain: false, place: '~/src' })
  })

  it.each([
    ['zsh', 'a shell, started again'],
    ['/bin/bash -l', 'a shell, started again'],
    ['npm run dev', 'npm run dev, started again'],
  ])('of %s: %s', (fresh, words) => expect(rowOf(lost({ offers: offers({ fresh }) })).goesOnWith).toBe(words))

  it('says what else a resume starts: a command of the settings, or the shell of an agent that was left', () => {
    const table = { kind: 'resumed', agent: null, text: 'resumed: vim -r notes' } as const
    expect(rowOf(lost({ back: table })).goesOnWith).toBe('resumed: vim -r notes')
    const left = { kind: 'shell-quit', agent: null, text: 'shell: you had quit Claude Code' } as const
    expect(rowOf(lost({ back: left }))).toMatchObject({ agent: null, goesOnWith: left.text, isCertain: true })
  })
})

it('they are grouped by repository, and those of none stand last', () => {
  const web = { ...repository, root: '/home/mia/web', name: 'web' }
  const all = [lost({ id: 'a' }), lost({ id: 'b', repository }), lost({ id: 'c', repository: web }), lost({ id: 'd', repository })]
  expect(groupsOf(all).map(({ name, rows }) => [name, ...rows.map(({ id }) => id)])).toEqual([
    ['api', 'b', 'd'],
    ['web', 'c'],
    ['Not in a repository', 'a'],
  ])
})

it('the head says in plain words what happened', () => {
  expect(headOf({ happened: 'reboot' }, 12)).toBe('Your machine restarted: 12 terminals were interrupted')
  expect(headOf({ happened: 'shutdown' }, 1)).toBe('Your machine was shut down: 1 terminal was interrupted')
  expect(headOf({ happened: 'crash' }, 2)).toBe('2 terminals were interrupted')
})

it('all are chosen until one is taken out; a box for several takes all out only if all are in', () => {
  const ids = ['a', 'b', 'c']
  const none: ReadonlySet<string> = new Set()
  expect([chosenOf(ids, none), choiceOf(ids, none)]).toEqual([ids, 'all'])
  const withoutA = toggled(['a'], none)
  expect([chosenOf(ids, withoutA), choiceOf(ids, withoutA)]).toEqual([['b', 'c'], 'some'])
  expect(choiceOf(ids, toggled(ids, withoutA))).toBe('all')
  expect(choiceOf(ids, toggled(ids, none))).toBe('none')
})

describe('how far each of the chosen is', () => {
  const whole = { isBroken: false }
  it.each([
    [lost(), 'waiting'],
    [terminalView({ state: 'waking', wakePhase: 'checking' }), 'checking'],
    [terminalView({ state: 'waking' }), 'starting'],
    [terminalView({ state: 'waking', wakePhase: 'resuming' }), 'resuming'],
    [terminalView(), 'resumed'],
    [terminalView({ back: { kind: 'new-conversation', agent: 'pi', text: 'new conversation: x' } }), 'new conversation: x'],
    [terminalView({ back: { kind: 'started', agent: null, text: 'started fresh' } }), 'started again'],
    [lost({ because: { kind: 'failed', reason: 'the conversation is gone', resumed: null } }), 'failed: the conversation is gone'],
    [lost({ because: { kind: 'exited', status: { code: 0 } } }), 'ended again'],
    [lost({ because: { kind: 'slept' } }), 'put to sleep'],
    [null, 'closed'],
  ])('%#: %s', (terminal, words) => expect(stepText(stepOf(terminal, whole))).toBe(words))

  it('who still waited when the daemon went away is not woken any more', () => {
    expect(stepText(stepOf(lost(), { isBroken: true }))).toBe('still asleep: the daemon went away')
    expect(stepOf(terminalView(), { isBroken: true }).kind).toBe('resumed')
  })

  it('together: n of m, and in the end whether all went well', () => {
    const [waiting, resumed, failed] = [
      { kind: 'waiting' },
      { kind: 'resumed', text: 'resumed' },
      { kind: 'failed', reason: 'no' },
    ] as const
    expect(progressOf([resumed, waiting, failed])).toMatchObject({ over: 2, of: 3, text: 'Resuming: 2 of 3', isDone: false })
    expect(progressOf([resumed, resumed])).toMatchObject({ text: 'All 2 are running again.', isDone: true, isGood: true })
    expect(progressOf([resumed, failed])).toMatchObject({
      text: '1 of 2 is running again. See the other tiles for the reasons.',
      isDone: true,
      isGood: false,
    })
  })
})
