import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentLogEntry } from '../../src/wire/commands/agent.ts'
import { type Conversing, makeConversing } from '../support/conversing.ts'
import { daemonsOf, holdersOf, killDaemon, killDaemonAndHolders } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { until } from '../support/milestone.ts'
import { endProcess } from '../support/processes.ts'
import type { TerminalRow } from '../support/terminalView.ts'

/** What is known of agents is seen in their processes and files; these programs keep both as the real ones do. */
const isClaude = ({ agent }: TerminalRow): boolean => agent?.name === 'claude'
const hasConversation = ({ conversation }: TerminalRow): boolean => conversation !== null

/** Has one turn with an agent that is up, and returns its conversation. */
async function converse(home: Conversing, name: string): Promise<string> {
  await home.seen(name, 'an agent', isClaude)
  await home.type(name, 'hello')
  return (await home.seen(name, 'a conversation', hasConversation)).conversation!
}

/** A shell in which an agent was started and has had one turn. */
async function conversing(home: Conversing, name: string, project = name): Promise<string> {
  await home.open(name, { project })
  await home.type(name, 'claude')
  return await converse(home, name)
}

const says = (home: Conversing, name: string, text: string) => run(home, ['wait', name, '--text', text, '--timeout', '20'])
const isIdleFor = (home: Conversing, name: string, seconds: number) =>
  run(home, ['wait', name, '--idle', String(seconds), '--timeout', '30'])

/** A decision is written down a moment after it can be seen. */
async function logged(home: Conversing, name: string, check: (log: readonly AgentLogEntry[]) => void): Promise<void> {
  const isSo = async (): Promise<boolean> => {
    check(await home.log(name))
    return true
  }
  await until(isSo, { what: `the log of ${name}` })
}

describe('an agent in a terminal', () => {
  let home: Conversing
  beforeAll(() => {
    home = makeConversing()
  })
  afterAll(() => home.dispose())

  test('is seen when it is typed into a shell, and its conversation from the first prompt on', async () => {
    await home.open('typed')
    expect(await home.view('typed')).toMatchObject({ agent: null, conversation: null })
    await home.type('typed', 'claude')
    expect(await home.seen('typed', 'an agent', isClaude)).toMatchObject({ agent: { label: 'Claude Code' }, conversation: null })
    const id = await converse(home, 'typed')
    expect(home.conversations('typed')).toEqual([id])
    expect(await home.view('typed')).toMatchObject({ provenance: 'registration' })
    await logged(home, 'typed', (log) => expect(log.map(({ event, agent }) => `${event} ${agent}`)).toEqual(['bind claude', 'seen claude']))
    expect((await run(home, ['agent', 'log', 'typed'])).stdout).toMatch(new RegExp(`EVENT.*\\n.*bind +claude +${id} +registration`))
  })

  const WRAPPERS = {
    'a program that starts it, as npx does': 'node "$(dirname "$(command -v claude)")/runs-it.mjs" claude',
    'sh -c': 'sh -c "claude; true"',
    env: 'env TERM=xterm claude',
    script: 'script -qec claude /dev/null',
  }
  test(`is seen through ${Object.keys(WRAPPERS).join(', ')}`, async () => {
    const through = Object.values(WRAPPERS).map((command, number) => ({ name: `wrapped-${number}`, command }))
    await Promise.all(
      through.map(async ({ name, command }) => {
        await home.open(name)
        await home.type(name, command)
      }),
    )
    for (const { name } of through) {
      const id = await converse(home, name)
      expect(home.conversations(name)).toEqual([id])
      await home.type(name, '/exit') // what has a session of its own does not end with the terminal
    }
  })

  test('that the terminal was made for is seen, and its end is no leaving', async () => {
    await home.open('own', { command: ['claude'] })
    const id = await converse(home, 'own')
    await home.type('own', '/exit')
    expect(await home.seen('own', 'ended', ({ state }) => state === 'asleep')).toMatchObject({ conversation: id, agent: null })
    expect((await home.log('own')).map(({ event }) => event)).not.toContain('left')
  })

  test('has another conversation than a second one in the same directory, also when both sleep', async () => {
    const ids = await Promise.all(['one', 'two'].map((name) => conversing(home, name, 'shared')))
    expect(new Set(ids).size).toBe(2)
    await run(home, ['sleep', '--force', 'one', 'two'])
    expect([(await home.view('one')).conversation, (await home.view('two')).conversation]).toEqual(ids)
  })

  test('does not get a conversation that a sleeping terminal has, and it is said once why', async () => {
    const id = await conversing(home, 'sleeper', 'wanted')
    await run(home, ['sleep', '--force', 'sleeper'])
    await home.open('wanting', { project: 'wanted' })
    await home.type('wanting', `claude --resume ${id}`)
    await home.seen('wanting', 'an agent', isClaude)
    const rejected = async () => (await home.log('wanting')).filter(({ event }) => event === 'reject')
    await until(async () => (await rejected()).length > 0, { what: 'the rejection to be written down' })
    await isIdleFor(home, 'wanting', 2)
    expect(await rejected()).toMatchObject([{ id, why: `it belongs to ${(await home.view('sleeper')).id}` }])
    expect(await home.view('wanting')).toMatchObject({ conversation: null })
  })

  test('is followed into another conversation', async () => {
    const first = await conversing(home, 'rotates')
    await home.type('rotates', '/clear')
    const { conversation } = await home.seen('rotates', 'another one', (view) => hasConversation(view) && view.conversation !== first)
    expect(home.conversations('rotates').toSorted()).toEqual([first, conversation].toSorted())
    await logged(home, 'rotates', ([newest]) =>
      expect(newest).toMatchObject({ event: 'rebind', id: conversation, provenance: 'registration' }),
    )
  })

  test('is not replaced by an agent that it has started itself', async () => {
    const id = await conversing(home, 'outer')
    const { agent } = await home.view('outer')
    await home.type('outer', '/nested claude')
    await until(() => home.conversations('outer').length === 2, { what: 'the nested one to have a conversation' })
    await home.type('outer', 'are you there?')
    await says(home, 'outer', 'answer 2')
    await isIdleFor(home, 'outer', 2)
    expect(await home.view('outer')).toMatchObject({ conversation: id, agent: { pid: agent?.pid } })
    await logged(home, 'outer', (log) => expect(log.map(({ event }) => event)).toEqual(['bind', 'seen']))
  })

  test('is known by the id that it was given at its start, until it has another one', async () => {
    const id = randomUUID()
    await home.open('given', { command: ['claude', '--session-id', id] })
    expect(await converse(home, 'given')).toBe(id)
    expect(await home.view('given')).toMatchObject({ provenance: 'assigned' })
    await home.type('given', '/clear')
    await home.seen('given', 'another one', ({ conversation, provenance }) => conversation !== id && provenance === 'registration')
  })

  test('that is left leaves a shell behind, and a new one has a new conversation', async () => {
    const id = await conversing(home, 'left')
    await home.type('left', '/exit')
    await home.seen('left', 'no agent', ({ agent, conversation }) => agent === null && conversation === null)
    await logged(home, 'left', ([newest]) => expect(newest).toMatchObject({ event: 'left', agent: 'claude', id }))
    await home.type('left', 'claude')
    expect(await converse(home, 'left')).not.toBe(id)
  })

  test('that is left just before the terminal sleeps has been left too', async () => {
    await conversing(home, 'hurried')
    await home.type('hurried', '/exit')
    await says(home, 'hurried', 'Resume this session')
    await until(async () => (await home.view('hurried')).foreground === 'bash', { what: 'the shell to have the keyboard' })
    await run(home, ['sleep', '--force', 'hurried'])
    expect(await home.view('hurried')).toMatchObject({ state: 'asleep', conversation: null })
  })

  test('that is stopped has not been left', async () => {
    const id = await conversing(home, 'stopped')
    await run(home, ['send', 'stopped', '--keys', 'C-z'])
    await home.seen('stopped', 'no agent in front', ({ agent }) => agent === null)
    await home.type('stopped', 'echo still here')
    await isIdleFor(home, 'stopped', 5)
    expect((await home.view('stopped')).conversation).toBe(id)
    await home.type('stopped', 'fg')
    expect(await home.seen('stopped', 'the agent again', isClaude)).toMatchObject({ conversation: id })
  })
})

test.concurrent('a daemon that comes back finds the agents again, and writes nothing about what was known', async () => {
  await using home = makeConversing()
  const id = await conversing(home, 'api')
  const before = await home.log('api')
  killDaemon(home)
  expect(await home.seen('api', 'the agent', isClaude)).toMatchObject({ conversation: id, provenance: 'registration' })
  await isIdleFor(home, 'api', 2)
  expect(await home.log('api')).toEqual(before)
})

test.concurrent('a conversation is kept the moment it is known: pulling all plugs loses none', async () => {
  await using home = makeConversing()
  const id = await conversing(home, 'api')
  await killDaemonAndHolders(home)
  expect(await home.seen('api', 'been lost', ({ state }) => state === 'asleep')).toMatchObject({
    because: { kind: 'lost' },
    conversation: id,
  })
})

test.concurrent('an agent that ends just before its terminal does was not left', async () => {
  await using home = makeConversing()
  const id = await conversing(home, 'api')
  process.kill((await home.view('api')).agent!.pid, 'SIGKILL')
  for (const holder of holdersOf(home)) endProcess(holder)
  expect(await home.seen('api', 'been lost', ({ state }) => state === 'asleep')).toMatchObject({ conversation: id })
})

test.concurrent.each(['agents:before-keep', 'agents:kept', 'agents:before-audit', 'agents:audited'])(
  'a daemon that dies at %s loses no conversation, and its log has it once',
  async (point) => {
    await using home = makeConversing()
    await home.start(point)
    const doomed = daemonsOf(home).map(({ pid }) => pid)
    await home.open('api')
    await home.type('api', 'claude')
    await says(home, 'api', 'ready')
    await home.type('api', 'hello')
    await until(() => !daemonsOf(home).some(({ pid }) => doomed.includes(pid)), { what: 'the daemon to die' })
    await home.start()
    await home.type('api', 'hello again') // the first one may have been lost on its way
    const { conversation } = await home.seen('api', 'its conversation', hasConversation)
    expect(home.conversations('api')).toEqual([conversation])
    const bound = async () => (await home.log('api')).filter(({ event }) => event === 'bind' || event === 'rebind')
    await until(async () => (await bound()).length > 0, { what: 'the entry' })
    await isIdleFor(home, 'api', 2)
    expect((await bound()).map(({ id }) => id)).toEqual([conversation])
  },
)

test.concurrent.each(['agents:before-left', 'agents:left-noted', 'agents:left-kept'])(
  'a daemon that dies at %s knows in the end that the agent was left, once',
  async (point) => {
    await using home = makeConversing()
    const id = await conversing(home, 'api')
    killDaemon(home)
    await home.start(point)
    const doomed = daemonsOf(home).map(({ pid }) => pid)
    await home.type('api', '/exit')
    await until(() => !daemonsOf(home).some(({ pid }) => doomed.includes(pid)), { what: 'the daemon to die' })
    await home.start()
    await home.seen('api', 'no conversation', ({ conversation, agent }) => conversation === null && agent === null)
    await logged(home, 'api', (log) => expect(log.filter(({ event }) => event === 'left')).toMatchObject([{ id }]))
  },
)
