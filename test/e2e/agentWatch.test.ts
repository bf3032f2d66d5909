import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TerminalView } from '../../src/wire/view.ts'
import { type Conversing, makeConversing } from '../support/conversing.ts'
import { holdersOf, killDaemon, killDaemonAndHolders } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { until } from '../support/milestone.ts'
import { endProcess } from '../support/processes.ts'

/** What is known of agents is seen in their processes and files; these programs keep both as the real ones do. */
const isClaude = ({ agent }: TerminalView): boolean => agent?.name === 'claude'
const hasConversation = ({ conversation }: TerminalView): boolean => conversation !== null

/** Has one turn with an agent that is up, and returns its conversation. */
async function converse(home: Conversing, name: string): Promise<string> {
  await home.seen(name, 'an agent', isClaude)
  await home.type(name, 'hello')
  return (await home.seen(name, 'a conversation', hasConversation)).conversation!
}

test('an agent that is typed into a shell is seen, with its conversation from the first prompt on', async () => {
  await using home = makeConversing()
  await home.open('api')
  expect(await home.view('api')).toMatchObject({ agent: null, conversation: null })
  await home.type('api', 'claude')
  expect(await home.seen('api', 'an agent', isClaude)).toMatchObject({
    agent: { label: 'Claude Code' },
    conversation: null,
    foreground: 'node',
  })
  const id = await converse(home, 'api')
  expect(home.conversations()).toEqual([id])
  expect(await home.view('api')).toMatchObject({ provenance: 'registration' })
  expect((await home.log('api')).map(({ event, agent }) => `${event} ${agent}`)).toEqual(['bind claude', 'seen claude'])
  expect((await run(home, ['agent', 'log', 'api'])).stdout).toMatch(new RegExp(`EVENT.*\\n.*bind +claude +${id} +registration`))
})

test.each([
  ['a program that starts it, as npx does', 'node "$(dirname "$(command -v claude)")/runs-it.mjs" claude'],
  ['sh -c', 'sh -c "claude; true"'],
  ['env', 'env TERM=xterm claude'],
  ['script', 'script -qec claude /dev/null'],
])('an agent is seen through %s', async (_, command) => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', command)
  const id = await converse(home, 'api')
  expect(home.conversations()).toEqual([id])
})

test('an agent that a terminal was made for is seen, and its end is no leaving', async () => {
  await using home = makeConversing()
  await home.open('api', 'claude')
  const id = await converse(home, 'api')
  await home.type('api', '/exit')
  expect(await home.seen('api', 'ended', ({ state }) => state === 'asleep')).toMatchObject({ conversation: id, agent: null })
  expect((await home.log('api')).map(({ event }) => event)).not.toContain('left')
})

test('two in one directory have different conversations, and keep them when they sleep', async () => {
  await using home = makeConversing()
  await Promise.all(['one', 'two'].map((name) => home.open(name)))
  await Promise.all(['one', 'two'].map((name) => home.type(name, 'claude')))
  const ids = [await converse(home, 'one'), await converse(home, 'two')]
  expect(new Set(ids).size).toBe(2)
  await run(home, ['sleep', 'one', 'two'])
  expect([(await home.view('one')).conversation, (await home.view('two')).conversation]).toEqual(ids)
})

test('a conversation that a sleeping terminal has is not taken by another one', async () => {
  await using home = makeConversing()
  await home.open('one')
  await home.type('one', 'claude')
  const id = await converse(home, 'one')
  await run(home, ['sleep', 'one'])
  await home.open('two')
  await home.type('two', `claude --resume ${id}`)
  await home.seen('two', 'an agent', isClaude)
  await until(async () => (await home.log('two')).some(({ event, id: rejected }) => event === 'reject' && rejected === id), {
    what: 'the rejection to be written down',
  })
  expect(await home.view('two')).toMatchObject({ conversation: null })
  expect((await home.log('two')).filter(({ event }) => event === 'reject')).toHaveLength(1)
})

test('another conversation in the same agent is followed', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  const first = await converse(home, 'api')
  await home.type('api', '/clear')
  const { conversation } = await home.seen('api', 'another conversation', (view) => hasConversation(view) && view.conversation !== first)
  expect(home.conversations().toSorted()).toEqual([first, conversation].toSorted())
  expect((await home.log('api'))[0]).toMatchObject({ event: 'rebind', id: conversation, provenance: 'registration' })
})

test('an agent that an agent has started does not take the terminal', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  const id = await converse(home, 'api')
  const { agent } = await home.view('api')
  await home.type('api', '/nested claude')
  await until(() => home.conversations().length === 2, { what: 'the nested one to have a conversation' })
  await run(home, ['wait', 'api', '--text', 'a tool runs', '--timeout', '10'])
  await home.type('api', 'are you there?')
  await run(home, ['wait', 'api', '--text', 'answer 2', '--timeout', '10'])
  await until(async () => (await home.view('api')).conversation === id, { what: 'the conversation to stay' })
  expect((await home.view('api')).agent?.pid).toBe(agent?.pid)
  expect((await home.log('api')).map(({ event }) => event)).toEqual(['bind', 'seen'])
})

test('whoever leaves the agent wants a shell, and a new agent is a new conversation', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  const id = await converse(home, 'api')
  await home.type('api', '/exit')
  await home.seen('api', 'no agent', ({ agent, conversation }) => agent === null && conversation === null)
  expect((await home.log('api'))[0]).toMatchObject({ event: 'left', agent: 'claude', id })
  await home.type('api', 'claude')
  expect(await converse(home, 'api')).not.toBe(id)
})

test('who leaves the agent and puts the terminal to sleep at once has left it too', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  await converse(home, 'api')
  await home.type('api', '/exit')
  await run(home, ['wait', 'api', '--text', 'Resume this session', '--timeout', '10'])
  await until(async () => (await home.view('api')).foreground === 'bash', { what: 'the shell to have the keyboard' })
  await run(home, ['sleep', 'api'])
  expect(await home.view('api')).toMatchObject({ state: 'asleep', conversation: null })
})

test('a stopped agent has not been left', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  const id = await converse(home, 'api')
  await run(home, ['send', 'api', '--key', 'C-z'])
  await home.seen('api', 'no agent in front', ({ agent }) => agent === null)
  await run(home, ['send', 'api', 'echo still here', '--enter'])
  await run(home, ['wait', 'api', '--idle', '4', '--timeout', '10'])
  expect((await home.view('api')).conversation).toBe(id)
  await home.type('api', 'fg')
  expect(await home.seen('api', 'the agent again', isClaude)).toMatchObject({ conversation: id })
})

test('a daemon that comes back finds the agents again, and writes nothing about what it knew', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  const id = await converse(home, 'api')
  const before = await home.log('api')
  killDaemon(home)
  expect(await home.seen('api', 'the agent', isClaude)).toMatchObject({ conversation: id, provenance: 'registration' })
  await run(home, ['wait', 'api', '--idle', '2', '--timeout', '10'])
  expect(await home.log('api')).toEqual(before)
})

test('a conversation is kept the moment it is known: pulling all plugs loses none', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  const id = await converse(home, 'api')
  await killDaemonAndHolders(home)
  expect(await home.seen('api', 'been lost', ({ state }) => state === 'asleep')).toMatchObject({
    because: { kind: 'lost' },
    conversation: id,
  })
})

test('an agent that ended with its terminal was not left', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  const id = await converse(home, 'api')
  const { agent } = await home.view('api')
  endProcess({ pid: agent!.pid })
  for (const holder of holdersOf(home)) endProcess(holder)
  expect(await home.seen('api', 'been lost', ({ state }) => state === 'asleep')).toMatchObject({ conversation: id })
})

test.each(['agents:before-keep', 'agents:kept', 'agents:before-audit', 'agents:audited'])(
  'a daemon that dies at %s loses no conversation, and its log has it once',
  async (point) => {
    await using home = makeConversing()
    await home.start(point)
    await home.open('api')
    await home.type('api', 'claude')
    await run(home, ['wait', 'api', '--text', 'ready', '--timeout', '20'])
    await home.type('api', 'hello')
    await run(home, ['wait', 'api', '--text', 'answer 1', '--timeout', '20'])
    killDaemon(home)
    await home.start()
    const { conversation } = await home.seen('api', 'its conversation', hasConversation)
    expect(home.conversations()).toEqual([conversation])
    const bound = async () => (await home.log('api')).filter(({ event }) => event === 'bind' || event === 'rebind')
    await until(async () => (await bound()).length > 0, { what: 'the entry' })
    await run(home, ['wait', 'api', '--idle', '2', '--timeout', '10'])
    expect((await bound()).map(({ id }) => id)).toEqual([conversation])
  },
)

test.each(['agents:before-left', 'agents:left-noted', 'agents:left-kept'])(
  'a daemon that dies at %s knows in the end that the agent was left, once',
  async (point) => {
    await using home = makeConversing()
    await home.open('api')
    await home.type('api', 'claude')
    const id = await converse(home, 'api')
    killDaemon(home)
    await home.start(point)
    await home.type('api', '/exit')
    await run(home, ['wait', 'api', '--text', 'Resume this session', '--timeout', '10'])
    await home.seen('api', 'no conversation', ({ conversation }) => conversation === null)
    killDaemon(home)
    await home.start()
    await home.seen('api', 'no conversation', ({ conversation, agent }) => conversation === null && agent === null)
    expect((await home.log('api')).filter(({ event }) => event === 'left')).toMatchObject([{ id }])
  },
)

test('an id that we gave to the agent is known as such', async () => {
  await using home = makeConversing()
  const id = randomUUID()
  await home.open('api', 'claude', '--session-id', id)
  expect(await converse(home, 'api')).toBe(id)
  expect(await home.view('api')).toMatchObject({ provenance: 'assigned' })
  await home.type('api', '/clear')
  await home.seen('api', 'another conversation', ({ conversation, provenance }) => conversation !== id && provenance === 'registration')
})
