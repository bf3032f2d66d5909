import { expect, test } from 'vitest'
import { refusals } from '../../../base/refusal.ts'
import { check, type Draft, emptyDraft, faultsOf, pathFor } from './draft.ts'

const agent = { name: 'codex', label: 'Codex', command: 'codex', path: '/usr/bin/codex' }
const draft = (changes: Partial<Draft> = {}): Draft => ({ ...emptyDraft('/src', null), ...changes })
const wish = (changes: Partial<Draft>) => {
  const checked = check(draft(changes))
  return checked.ok ? checked.wish : checked.faults
}

test('nothing filled in is a shell in the directory', () => {
  expect(wish({})).toEqual({ cwd: '/src', args: [], isPrivate: false })
})

test('what its programs may do is asked for only where it is chosen', () => {
  expect(wish({ may: 'send' })).toEqual({ cwd: '/src', args: [], isPrivate: false, may: 'send' })
})

test('a command is split into words, an agent gets them as arguments', () => {
  expect(wish({ program: { kind: 'command' }, line: 'npm run "a b"' })).toMatchObject({ command: 'npm', args: ['run', 'a b'] })
  expect(wish({ program: { kind: 'agent', agent }, line: '--model x' })).toMatchObject({ command: 'codex', args: ['--model', 'x'] })
})

test('what can be seen to be wrong is told at its field', () => {
  expect(wish({ directory: ' ' })).toEqual({ directory: 'The directory is missing.' })
  expect(wish({ program: { kind: 'command' }, line: ' ' })).toEqual({ line: 'The command is missing.' })
  expect(wish({ program: { kind: 'command' }, line: 'say "x' })).toEqual({ line: 'A double quote is not closed.' })
  expect(wish({ worktree: { branch: '', path: '' } })).toHaveProperty('worktree')
  expect(wish({ worktree: { branch: 'x', path: 'relative' } })).toHaveProperty('worktree')
})

test('it stands where it was wanted', () => {
  expect(wish({ place: { kind: 'workspace', workspace: 'w2' } })).toMatchObject({ workspace: 'w2' })
  const beside = { terminal: 't1', where: 'right' } as const
  expect(check(emptyDraft('/src', beside))).toMatchObject({ wish: { place: beside } })
})

test('every refusal is shown at the field that it is about', () => {
  const fields = [
    refusals.cwdMissing('/x'),
    refusals.commandNotFound('x'),
    refusals.nameTaken('x'),
    { code: 'worktree-exists', message: 'It exists.', hint: '' } as never,
    refusals.diskFailed('full'),
  ].map((refusal) => Object.keys(faultsOf(refusal))[0])
  expect(fields).toEqual(['directory', 'line', 'name', 'worktree', 'form'])
  expect(faultsOf(refusals.cwdMissing('/x'))).toEqual({ directory: 'The directory /x does not exist.' })
})

test('the path of a worktree follows its branch', () => {
  const repository = {
    root: '/src/app',
    name: 'app',
    branch: 'main',
    worktrees: [],
    branches: [],
    suggested: { branch: 'work/one', path: '/src/app.worktrees/work-one' },
  }
  expect(pathFor(repository, 'fix/that')).toBe('/src/app.worktrees/fix-that')
  expect(pathFor(repository, '')).toBe('/src/app.worktrees/work-one')
})
