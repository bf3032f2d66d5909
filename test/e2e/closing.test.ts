import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ClosedView } from '../../src/wire/commands/closing.ts'
import type { Outcome } from '../../src/wire/commands/commands.ts'
import { makeConversing } from '../support/conversing.ts'
import { connectTo, killDaemon, list } from '../support/daemon.ts'
import { fixtureProgram, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { topologyOf } from '../support/restoring.ts'

const ECHO = ['--', 'sh', '-c', 'echo begun; while read line; do echo "got $line"; done']

async function told(home: Home, name: string, text: string): Promise<void> {
  await run(home, ['send', name, text, '--enter'])
  await run(home, ['wait', name, '--text', `got ${text}`, '--timeout', '10'])
}

const screen = async (home: Home, name: string): Promise<string> => (await run(home, ['read', name, '--history', 'all'])).stdout

/** The user's own settings of git are none of these tests' business. */
const ENV = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }

/** A repository with a commit, and a worktree `fix` beside it. */
function makeRepository(): { readonly fix: string; git(...args: string[]): string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hf-closing-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const root = join(folder, 'api')
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, env: ENV, encoding: 'utf8' })
  execFileSync('git', ['init', '-q', '-b', 'main', root], { env: ENV })
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '--allow-empty', '-m', 'first')
  const fix = join(folder, 'fix')
  git('worktree', 'add', '-q', '-b', 'fix', fix)
  return { fix, git }
}

test('a closed terminal comes back as it was, after a crash too: place, screen and history', async () => {
  await using home = makeHomeWithOwnPort()
  for (const name of ['one', 'two', 'three']) await run(home, ['new', '--name', name, ...ECHO])
  await told(home, 'two', 'early')
  const before = topologyOf(home)
  const { id, until: end } = (await json<Outcome<'terminal.close'>[]>(home, ['close', 'two']))[0] ?? { id: '', until: 0 }
  expect(end).toBeGreaterThan(Date.now() + 4 * 60_000)
  expect((await list(home)).map(({ name }) => name)).toEqual(['one', 'three'])
  killDaemon(home)
  expect(await json<ClosedView[]>(home, ['reopen', '--list'])).toMatchObject([{ id, name: 'two', until: end }])
  expect((await run(home, ['reopen', '--list'])).stdout).toMatch(/^ID +NAME .*\n.*two /)
  expect((await run(home, ['reopen', 'two'])).stdout).toBe(`Reopened two in main. Start it with holdfast wake ${id}.\n`)
  expect(topologyOf(home)).toEqual(before)
  expect((await list(home)).find(({ name }) => name === 'two')).toMatchObject({ id, state: 'asleep', because: { kind: 'slept' } })
  expect(await screen(home, 'two')).toContain('got early')
  await until(async () => (await run(home, ['search', 'got early'])).stdout.includes('two'), { what: 'its lines to be found again' })

  expect(await run(home, ['reopen'])).toMatchObject({ code: 1, stderr: expect.stringContaining('No terminal was closed') })
  expect(await run(home, ['reopen', 'two'])).toMatchObject({ code: 1, stderr: expect.stringContaining('is not closed') })
  expect(await run(home, ['reopen', 'nobody'])).toMatchObject({ code: 1, stderr: expect.stringContaining('No terminal "nobody"') })
})

test('an agent that was closed is asked about by its name, and goes on with its conversation after a reopen', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  await home.seen('api', 'an agent', ({ agent }) => agent?.name === 'claude')
  await home.type('api', 'hello')
  const { conversation } = await home.seen('api', 'a conversation', (view) => view.conversation !== null)
  const client = await connectTo(home)
  onTestFinished(() => client.close())
  const closing = await client.request('terminal.closing', { terminal: 'api' })
  expect(closing.ok && closing.value.result).toMatchObject({ asks: true, agent: { name: 'claude' }, conversation: { id: conversation } })
  await run(home, ['close', 'api'])
  expect((await run(home, ['reopen'])).code).toBe(0)
  expect(await home.view('api')).toMatchObject({ state: 'asleep', conversation })
  expect((await run(home, ['wake', 'api'])).stdout).toContain(`claude --resume ${conversation}`)
})

test('a clean worktree goes with its terminal and comes back with it; one that is not is left, and it is said why', async () => {
  await using home = makeHomeWithOwnPort()
  const { fix, git } = makeRepository()
  const open = (name: string) => run(home, ['new', '--name', name, '--cwd', fix, ...ECHO])
  await open('one')
  await open('two')
  const client = await connectTo(home)
  onTestFinished(() => client.close())
  const verdict = async () => {
    const answer = await client.request('terminal.closing', { terminal: 'one' })
    return answer.ok ? `${answer.value.result.worktree?.kind}: ${answer.value.result.worktree?.why}` : answer.refusal.message
  }
  expect(await verdict()).toBe('other-terminals: “two” is also in it')
  await run(home, ['close', 'two'])
  writeFileSync(join(fix, 'notes.txt'), 'x')
  expect(await verdict()).toBe('untracked: it has 1 untracked file')
  expect((await run(home, ['close', '--remove-worktree', 'one'])).stdout).toContain(
    'Its worktree was not removed: it has 1 untracked file.',
  )
  await run(home, ['reopen', 'one'])
  rmSync(join(fix, 'notes.txt'))
  git('-C', fix, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '--allow-empty', '-m', 'second')
  expect(await verdict()).toBe('unpushed: it has 1 commit on no other branch or remote')
  git('branch', 'kept', 'fix')
  git('worktree', 'lock', '--reason', 'on a stick', fix)
  expect(await verdict()).toBe('locked: it is locked: on a stick')
  git('worktree', 'unlock', fix)
  expect(await verdict()).toBe('null: null')

  const closed = await run(home, ['close', '--remove-worktree', 'one'])
  expect(closed.stdout).toContain(`Removed its worktree ${fix}; the branch stays.`)
  expect([existsSync(fix), git('branch', '--list', 'fix').trim()]).toEqual([false, 'fix'])
  expect((await run(home, ['reopen', 'one'])).stdout).toContain(`Restored its worktree ${fix}.`)
  expect(git('-C', fix, 'status', '--porcelain', '--branch').trim()).toBe('## fix')
  expect((await run(home, ['wake', 'one'])).code).toBe(0)
  expect((await run(home, ['wait', 'one', '--text', 'begun', '--timeout', '10'])).code).toBe(0)
})

test('starting over closes everything behind a checkpoint that brings all of it back', async () => {
  await using home = makeHomeWithOwnPort()
  for (const name of ['one', 'two', 'three']) await run(home, ['new', '--name', name, ...ECHO])
  await told(home, 'one', 'early')
  await run(home, ['sleep', '--force', 'three'])
  await run(home, ['workspace', 'new', 'other'])
  const before = topologyOf(home)
  expect(await run(home, ['start-over'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--confirm "start over"') })
  expect((await run(home, ['start-over', '--confirm', 'yes'])).code).toBe(2)
  expect(await list(home)).toHaveLength(3)

  const { checkpoint, closed } = await json<Outcome<'workspace.startOver'>>(home, ['start-over', '--confirm', 'start over'])
  expect(closed.map(({ name }) => name)).toEqual(['one', 'two', 'three'])
  expect(await list(home)).toEqual([])
  expect(await json(home, ['workspace', 'ls'])).toMatchObject([{ name: 'main', terminals: [] }])

  expect((await run(home, ['restore', '--yes', checkpoint])).code).toBe(0)
  expect(topologyOf(home)).toEqual(before)
  expect((await list(home)).map(({ name, state, because }) => `${name} ${state} ${because?.kind}`)).toEqual([
    'one asleep slept',
    'two asleep slept',
    'three asleep slept',
  ])
  expect(await screen(home, 'one')).toContain('got early')
  expect((await run(home, ['wake', 'one'])).code).toBe(0)
})

test('closing a terminal that floods takes its grace and a second at most, and loses nothing of what was seen', {
  timeout: 60_000,
}, async () => {
  const GRACE_MS = 1_000
  await using home = makeHomeWithOwnPort()
  const config = join(home.path, 'config.toml')
  writeFileSync(config, `settle_ms = ${GRACE_MS}\n${readFileSync(config, 'utf8')}`)
  const ignores = 'trap "" TERM HUP INT; n=0; while :; do n=$((n+1)); printf "flood %09d\\n" $n $n $n $n; done'
  const programs = { floods: [process.execPath, fixtureProgram('floods.mjs'), '--colour'], ignores: ['sh', '-c', ignores] }
  for (const [name, command] of Object.entries(programs)) await run(home, ['new', '--name', name, '--', ...command])
  const daemon = await connectTo(home)
  const numbersOf = (text: string): number[] => [...text.matchAll(/\b0\d{8,9}\b/g)].map(([number]) => Number(number))
  for (const name of Object.keys(programs)) {
    const newest = async () => Math.max(0, ...numbersOf((await run(home, ['read', name])).stdout))
    await until(async () => (await newest()) > 1_000, { what: 'a flood' })
    const seen = await newest()
    const from = performance.now()
    const closed = await daemon.request('terminal.close', { terminal: name })
    expect(closed.ok).toBe(true)
    expect(performance.now() - from).toBeLessThan(GRACE_MS + 1_000)
    await run(home, ['reopen', name])
    expect(await newest()).toBeGreaterThanOrEqual(seen)
  }
  daemon.close()
})
