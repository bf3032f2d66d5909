import { copyFileSync, mkdirSync } from 'node:fs'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { killDaemon, views } from '../support/daemon.ts'
import { fixtureProgram, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'

/** How agents do, as they say it themselves: in their terminal's own language, or by hooks. */
const ID = '0198f7c1-9c1e-4f50-8000-000000000001'
const OTHER = '0198f7c1-9c1e-4f50-8000-000000000002'

let home: Home
let env: Record<string, string> = {}
const hf = (...args: string[]): Promise<Ran> => run(home, args, { env })
const tell = (line: string): Promise<Ran> => hf('send', 'a', line, '--enter')
const until = (state: string, timeout = '15'): Promise<Ran> => hf('wait', 'a', '--agent', state, '--timeout', timeout)
const agent = async () => (await views(home, { env })).find(({ name }) => name === 'a')?.agent ?? null

beforeEach(() => {
  home = makeHomeWithOwnPort()
  const [bin, user] = [`${home.path}/bin`, `${home.path}/user`]
  for (const directory of [bin, user, `${user}/.claude`]) mkdirSync(directory)
  for (const name of ['claude', 'codex']) copyFileSync(fixtureProgram('talks-like-an-agent.mjs'), `${bin}/${name}`)
  env = { HOME: user, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
})
afterEach(() => home.dispose())

async function start(command: string): Promise<void> {
  expect(await hf('new', '--name', 'a', '--', command)).toMatchObject({ code: 0, stderr: '' })
  expect((await hf('wait', 'a', '--text', 'ready', '--timeout', '15')).code).toBe(0)
}

describe('an agent that speaks the status protocol', () => {
  test('is seen to work, to need somebody and to be done, and waited for', async () => {
    await start('codex')
    const needed = until('needs-you')
    await tell('status state=working:app=codex')
    expect(await until('working')).toMatchObject({ code: 0, stdout: 'working\n' })
    await tell(`status state=blocked:app=codex:kind=permission:msg=${Buffer.from('Run rm?\x07').toString('base64')}`)
    expect((await needed).code).toBe(0)
    expect(await agent()).toMatchObject({ name: 'codex', state: 'needs-you', wants: 'permission', words: 'Run rm?' })
    expect((await hf('ls')).stdout).toMatch(/AGENT.*\n.*codex needs you \d+s/)
    await tell('status state=working:app=codex')
    await until('working')
    await tell('status state=done:app=codex')
    expect((await until('done')).code).toBe(0)
    expect((await until('idle')).stdout).toBe('done\n')
    expect(await hf('wait', 'a', '--agent', 'working', '--timeout', '0.2')).toMatchObject({ code: 4 })
    await tell('look, somebody types')
    expect((await until('idle')).stdout).toBe('idle\n')
  })

  test('is seen on the page as soon as it needs somebody', async () => {
    await start('codex')
    await using browser = await launchBrowser()
    const page = await browser.openPage({ viewport: { width: 1000, height: 700 } })
    await page.goto((await json<{ url: string }>(home, ['--no-open'], { env })).url)
    const row = page.getByLabel('Terminals').getByRole('button')
    await tell('status state=working:app=codex')
    await row.getByText('Codex · working').waitFor()
    await tell(`status state=blocked:app=codex:msg=${Buffer.from('Run rm?').toString('base64')}`)
    await row.getByText('Codex · needs you').waitFor()
    expect(await row.getByText('Codex · needs you').getAttribute('title')).toBe('Run rm?')
    expect(browser.complaints).toEqual([])
  })

  test('does after a crash of the daemon what it did before', async () => {
    await start('codex')
    await tell('status state=working:app=codex')
    await until('working')
    await tell('status state=blocked:app=codex:kind=question')
    await until('needs-you')
    await killDaemon(home)
    expect((await until('needs-you')).code).toBe(0)
    expect(await agent()).toMatchObject({ state: 'needs-you', wants: 'question' })
  })

  test('is told once that it is understood, and not believed under another name', async () => {
    await start('codex')
    await tell('query')
    expect((await hf('wait', 'a', '--text', '\\^\\[\\]7501;\\?', '--timeout', '15')).code).toBe(0)
    await hf('send', 'a', '--enter')
    expect((await hf('wait', 'a', '--text', 'answered .*7501', '--timeout', '15')).code).toBe(0)
    await tell('status state=working:app=codex')
    await until('working')
    await tell('status state=blocked:app=claude-code')
    expect((await until('needs-you', '0.7')).code).toBe(4)
    expect((await hf('read', 'a')).stdout.match(/answered/g)).toHaveLength(1)
  })

  test('is not waited for any longer when its program ends', async () => {
    await start('codex')
    const waiting = until('needs-you')
    await hf('send', 'a', '--keys', 'C-d')
    expect((await waiting).code).toBe(3)
    expect((await until('idle')).code).toBe(3)
  })
})

describe('an agent with hooks', () => {
  const hook = (event: string, payload: object, verb = 'hook'): Promise<Ran> => tell(`${verb} ${event} ${JSON.stringify(payload)}`)

  test('reports its conversation and how it does; one inside it does not', async () => {
    expect((await hf('agent', 'hooks', 'install', 'claude')).code).toBe(0)
    await start('claude')
    await hook('UserPromptSubmit', { session_id: ID })
    expect((await until('working')).code).toBe(0)
    await hook('Notification', { session_id: ID, notification_type: 'permission_prompt', message: 'Claude needs your permission' })
    expect((await until('needs-you')).code).toBe(0)
    expect(await agent()).toMatchObject({ name: 'claude', state: 'needs-you', wants: 'permission', words: 'Claude needs your permission' })
    await hook('Stop', { session_id: OTHER }, 'nested')
    expect((await hf('wait', 'a', '--text', 'nested: Stop ended with 0, said \\[\\]', '--timeout', '15')).code).toBe(0)
    expect(await agent()).toMatchObject({ state: 'needs-you' })
    await hook('Stop', { session_id: ID, last_assistant_message: 'All green.' })
    expect((await until('done')).code).toBe(0)
    expect(await agent()).toMatchObject({ state: 'done', words: 'All green.' })
    const log = (await hf('agent', 'log', 'a')).stdout
    expect(log).toContain(ID)
    expect(log).toMatch(new RegExp(`reject.*${OTHER}`))
  })
})
