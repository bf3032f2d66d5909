import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Conversing, makeConversing } from '../support/conversing.ts'
import { holdersOf, killDaemonAndHolders, programsOf } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { until } from '../support/milestone.ts'
import type { TerminalRow } from '../support/terminalView.ts'

/** Conversations that go on, with a program that keeps its files as Claude Code does and numbers its answers. */
const isClaude = ({ agent }: TerminalRow): boolean => agent?.name === 'claude'

const says = async (home: Conversing, name: string, text: string): Promise<void> => {
  expect((await run(home, ['wait', name, '--text', text, '--timeout', '20'])).code, `${name} to say ${text}`).toBe(0)
}

async function ask(home: Conversing, name: string, answer: string): Promise<void> {
  await home.seen(name, 'an agent', isClaude)
  await home.type(name, 'hello')
  await says(home, name, answer)
}

/** A shell in which an agent has answered once. */
async function converse(home: Conversing, name: string): Promise<string> {
  await home.open(name)
  await home.type(name, 'claude --model opus')
  await ask(home, name, 'answer 1 in')
  return (await home.seen(name, 'a conversation', ({ conversation }) => conversation !== null)).conversation!
}

test('a conversation goes on after sleep and wake; when its agent is left there is a shell, and after that only a shell', async () => {
  await using home = makeConversing()
  const id = await converse(home, 'api')
  await home.seen('api', 'an agent at rest', ({ agent }) => agent?.state === 'done' || agent?.state === 'idle')
  expect(await run(home, ['sleep', 'api'])).toMatchObject({ code: 0, stderr: '' }) // nothing is lost
  expect((await home.view('api')).back).toEqual({ kind: 'resumed', agent: 'Claude Code', text: `resumed: conversation ${id}` })
  expect((await run(home, ['wake', 'api'])).stdout).toMatch(new RegExp(`^api resumed with \\S*claude --resume ${id} --model opus\n$`))
  await ask(home, 'api', `answer 2 in ${id}`)
  expect((await run(home, ['read', 'api'])).stdout).toMatch(/^ready/) // nothing of the shell's start is above it
  await home.type('api', '/exit')
  await home.type('api', 'echo "now in $PWD"')
  await says(home, 'api', `^now in ${home.path}/api`)
  await run(home, ['sleep', 'api'])
  expect(await home.view('api')).toMatchObject({ conversation: null, offers: { resume: null, conversation: true } })
  expect((await run(home, ['wake', 'api'])).stdout).toBe('api shell: you had quit Claude Code\n')
  await home.type('api', 'echo "a shell of $((6 * 7))"')
  await says(home, 'api', 'a shell of 42')
  await run(home, ['sleep', 'api'])
  expect((await run(home, ['wake', '--conversation', id, 'api'])).code).toBe(0)
  await ask(home, 'api', `answer 3 in ${id}`)
})

test('a conversation goes on in the directory and with the files of its agent, not with those of its terminal', async () => {
  await using home = makeConversing()
  const elsewhere = join(home.path, 'elsewhere')
  mkdirSync(elsewhere)
  await home.open('api')
  await home.type('api', `cd ${elsewhere} && CLAUDE_CONFIG_DIR=${home.path}/other-config claude`)
  await ask(home, 'api', 'answer 1 in')
  const { conversation: id } = await home.seen('api', 'a conversation', ({ conversation }) => conversation !== null)
  await run(home, ['sleep', '--force', 'api'])
  expect((await run(home, ['wake', 'api'])).code).toBe(0)
  await ask(home, 'api', `answer 2 in ${id}`)
  await home.type('api', '/exit')
  await home.type('api', 'echo "now in $PWD"')
  await says(home, 'api', `^now in ${elsewhere}`)
})

test('an agent that takes an id keeps it through sleep, before the first word and after it', async () => {
  await using home = makeConversing()
  await home.open('api', { command: ['claude'] })
  const { conversation: id } = await home.view('api')
  await says(home, 'api', `ready ${id}`)
  await home.seen('api', 'an agent', isClaude)
  await run(home, ['sleep', '--force', 'api'])
  expect((await run(home, ['wake', 'api'])).stdout).toBe('api new conversation: the one before was empty\n')
  await ask(home, 'api', `answer 1 in ${id}`)
  await run(home, ['sleep', '--force', 'api'])
  expect((await run(home, ['wake', 'api'])).stdout).toMatch(new RegExp(`^api resumed with .*--resume ${id}\n$`))
  await ask(home, 'api', `answer 2 in ${id}`)
  expect((await home.view('api')).conversation).toBe(id)
})

test('a conversation whose transcript is gone is not replaced by another: there is a choice', async () => {
  await using home = makeConversing()
  const id = await converse(home, 'api')
  await run(home, ['sleep', '--force', 'api'])
  const config = join(home.path, 'claude-config')
  const projects = join(config, 'projects')
  renameSync(projects, `${projects}-away`)
  const refused = await run(home, ['wake', 'api'])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(`The conversation ${id} of Claude Code is gone: its transcript no longer exists.`)
  expect(refused.stderr).toContain('Start a new one with holdfast wake api --fresh, or resume another one with --conversation ID.')
  expect(await home.view('api')).toMatchObject({
    state: 'asleep',
    conversation: id,
    because: { kind: 'failed', resumed: null, reason: expect.stringContaining(`${id} of Claude Code is gone`) },
    offers: { conversation: true },
  })
  expect(holdersOf(home)).toEqual([])
  renameSync(`${projects}-away`, projects)
  expect((await run(home, ['wake', 'api'])).code).toBe(0)
  await ask(home, 'api', `answer 2 in ${id}`)
})

test('a directory that is gone is said before anything is started', async () => {
  await using home = makeConversing()
  await converse(home, 'api')
  await run(home, ['sleep', '--force', 'api'])
  rmSync(join(home.path, 'api'), { recursive: true })
  expect((await run(home, ['wake', 'api'])).stderr).toContain(`The directory ${home.path}/api does not exist`)
  mkdirSync(join(home.path, 'api'))
  expect((await run(home, ['wake', 'api'])).code).toBe(0)
})

test('after the holders were killed everything goes on where it was, each terminal with its own conversation', async () => {
  await using home = makeConversing()
  const ids = [await converse(home, 'one'), await converse(home, 'two')]
  await killDaemonAndHolders(home)
  await home.start()
  await run(home, ['wake', 'one', 'two'])
  await ask(home, 'one', `answer 2 in ${ids[0]}`)
  await ask(home, 'two', `answer 2 in ${ids[1]}`)
})

test('an agent that outlives its holder is ended before its conversation goes on; nobody else is', async () => {
  await using home = makeConversing()
  const id = await converse(home, 'api')
  await home.type('api', '/stay') // as one that does not notice its end
  await says(home, 'api', 'stays')
  const before = registered(home)
  expect(before).toHaveLength(1)
  await killDaemonAndHolders(home)
  await home.start()
  expect((await run(home, ['wake', 'api'])).code).toBe(0)
  await ask(home, 'api', `answer 2 in ${id}`)
  await until(() => !before.some((pid) => existsSync(`/proc/${pid}`)), { what: 'the old agent to be gone' })
  expect(programsOf(home)).toHaveLength(1)
})

const registered = (home: Conversing): readonly string[] =>
  readdirSync(join(home.path, 'claude-config/sessions')).map((name) => name.replace('.json', ''))

test('what a resume has found is in the log of the agent: the same conversation, or another, which is shown too', async () => {
  await using home = makeConversing()
  const id = await converse(home, 'api')
  await run(home, ['sleep', '--force', 'api'])
  await run(home, ['wake', 'api'])
  const isNoted = (event: string, conversation: string) => async (): Promise<boolean> =>
    (await home.log('api')).some((entry) => entry.event === event && entry.id === conversation)
  await until(isNoted('resumed', id), { what: 'the resume to be verified' })
  expect(await home.view('api')).toMatchObject({ conversation: id, mismatch: null })
  await run(home, ['sleep', '--force', 'api'])
  const program = join(home.path, 'bin/claude')
  // It is slow to begin: whoever looks before that finds the conversation that was meant, and must not believe it.
  const another = 'await new Promise((begun) => setTimeout(begun, 1_000)); clear()'
  writeFileSync(program, readFileSync(program, 'utf8').replace("if (after('--resume') !== undefined) goOn()", another))
  await run(home, ['wake', 'api'])
  const other = await home.seen('api', 'another conversation', ({ mismatch }) => mismatch !== null)
  expect(other.mismatch).toBe(`it was to go on with the conversation ${id}, and has gone on with ${other.conversation}`)
  await until(isNoted('mismatch', other.conversation!), { what: 'the other conversation to be noted' })
})
