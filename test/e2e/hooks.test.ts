import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { json, type Ran, run, runProgram } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'

/** Hooks in the settings of agents: they come beside what the user has, and go without a trace. */
const FILES = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  opencode: '.config/opencode/plugin/holdfast.js',
} as const
type AgentName = keyof typeof FILES
const AGENTS = Object.keys(FILES) as AgentName[]

let home: Home
let user = ''
const env = (): Record<string, string> => ({
  HOME: user,
  PATH: process.env['PATH'] ?? '',
  CLAUDE_CONFIG_DIR: '',
  CODEX_HOME: '',
  XDG_CONFIG_HOME: '',
})
const hooks = (...args: string[]): Promise<Ran> => run(home, ['agent', 'hooks', ...args], { env: env() })
const fileOf = (agent: AgentName): string => `${user}/${FILES[agent]}`
const read = (agent: AgentName): string => readFileSync(fileOf(agent), 'utf8')
const beside = (agent: AgentName): string[] => readdirSync(dirname(fileOf(agent))).sort()
function write(agent: AgentName, text: string): void {
  mkdirSync(dirname(fileOf(agent)), { recursive: true })
  writeFileSync(fileOf(agent), text)
}
const statusOf = async (): Promise<Record<string, string>> => {
  const rows = await json<{ agent: string; state: string }[]>(home, ['agent', 'hooks', 'status'], { env: env() })
  return Object.fromEntries(rows.map(({ agent, state }) => [agent, state]))
}

beforeEach(() => {
  home = makeHomeWithOwnPort()
  user = `${home.path}/user`
  mkdirSync(user)
})
afterEach(() => home.dispose())

const THEIRS = `{
    "model": "opus",
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]}
        ]
    },
    "zeta": [1, 2]
}`

describe('hooks of agents', () => {
  test('are not there before somebody asks for them, and only where the agent is', async () => {
    expect(await statusOf()).toEqual(Object.fromEntries(AGENTS.map((agent) => [agent, 'agent-not-found'])))
    const asked = await hooks('install', 'claude')
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('Claude Code was not found')])
    expect(readdirSync(user)).toEqual([])
    mkdirSync(`${user}/.claude`)
    expect((await statusOf())['claude']).toBe('absent')
    expect((await hooks('install', 'vim')).stderr).toContain('no hooks for "vim"')
  })

  test('stand in the user’s settings after an installation, once, with a backup only they can read', async () => {
    write('claude', THEIRS)
    chmodSync(fileOf('claude'), 0o640)
    const first = await hooks('install', 'claude')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const settings = JSON.parse(read('claude'))
    expect(Object.keys(settings)).toEqual(['model', 'hooks', 'zeta'])
    expect(settings.hooks.Stop).toHaveLength(2)
    expect(settings.hooks.SessionStart[0].hooks[0].command).toContain('agent report claude --event SessionStart')
    expect(statSync(fileOf('claude')).mode & 0o777).toBe(0o640)
    const [, backup = ''] = beside('claude')
    expect(first.stdout).toContain(backup)
    expect(statSync(`${user}/.claude/${backup}`).mode & 0o777).toBe(0o600)
    expect(readFileSync(`${user}/.claude/${backup}`, 'utf8')).toBe(THEIRS)
    const text = read('claude')
    expect((await hooks('install', 'claude')).stdout).toContain('Already installed')
    expect([read('claude'), beside('claude')]).toEqual([text, ['settings.json', backup]])
    expect((await statusOf())['claude']).toBe('installed')
  })

  test.each(AGENTS)('of %s go without a trace where there was nothing', async (agent) => {
    mkdirSync(
      `${user}/${FILES[agent]
        .split('/')
        .slice(0, agent === 'opencode' ? 2 : 1)
        .join('/')}`,
      { recursive: true },
    )
    const before = readdirSync(user, { recursive: true }).sort()
    expect(await hooks('install', agent)).toMatchObject({ code: 0, stderr: '' })
    expect(await statusOf()).toMatchObject({ [agent]: 'installed' })
    expect(await hooks('remove', agent)).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(user, { recursive: true }).sort()).toEqual(before)
    expect((await hooks('remove', agent)).stdout).toContain('Not installed')
  })

  test('leave the file as it was, to the last byte, and no backup', async () => {
    for (const text of [THEIRS, '{ }', '', '{"a":{}}\r\n']) {
      write('gemini', text)
      await hooks('install', 'gemini')
      expect(read('gemini')).not.toBe(text)
      await hooks('remove', 'gemini')
      expect([read('gemini'), beside('gemini')]).toEqual([text, ['settings.json']])
    }
  })

  test('are all that goes when the user has changed the file since', async () => {
    write('codex', '{"hooks": {}}')
    await hooks('install', 'codex')
    const settings = JSON.parse(read('codex'))
    settings.mine = true
    settings.hooks.Stop[0].hooks[0].command += ' # mine'
    write('codex', JSON.stringify(settings))
    expect((await statusOf())['codex']).toBe('changed')
    await hooks('remove', 'codex')
    expect(JSON.parse(read('codex'))).toEqual({ hooks: {}, mine: true })
    expect(beside('codex')).toEqual(['hooks.json'])
  })

  test('are not written into a file with comments, nor over somebody else’s plugin', async () => {
    write('claude', '{\n  // mine\n  "a": 1\n}')
    const asked = await hooks('install', 'claude')
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain('settings.json: it has comments (line 2).')
    write('opencode', 'export const Mine = 1')
    expect((await hooks('install', 'opencode')).stderr).toContain('was not written by Holdfast')
    expect((await hooks('remove', 'opencode')).stderr).toContain('was not written by Holdfast')
    expect([beside('claude'), read('opencode')]).toEqual([['settings.json'], 'export const Mine = 1'])
    expect(await statusOf()).toMatchObject({ claude: 'unusable', opencode: 'unusable' })
  })

  test('reach the file behind a link, which stays one', async () => {
    mkdirSync(`${user}/dotfiles`)
    mkdirSync(`${user}/.claude`)
    writeFileSync(`${user}/dotfiles/claude.json`, THEIRS)
    symlinkSync('../dotfiles/claude.json', fileOf('claude'))
    await hooks('install', 'claude')
    expect(lstatSync(fileOf('claude')).isSymbolicLink()).toBe(true)
    expect(readFileSync(`${user}/dotfiles/claude.json`, 'utf8')).toContain('agent report')
    await hooks('remove', 'claude')
    expect(lstatSync(fileOf('claude')).isSymbolicLink()).toBe(true)
    expect(readFileSync(`${user}/dotfiles/claude.json`, 'utf8')).toBe(THEIRS)
    expect(readdirSync(`${user}/dotfiles`)).toEqual(['claude.json'])
  })

  test.each(['hooks:backed-up', 'hooks:drafted', 'hooks:replaced'])(
    'are there as a whole or not at all when the power goes at %s',
    async (point) => {
      write('claude', THEIRS)
      const killed = await run(home, ['agent', 'hooks', 'install', 'claude'], { env: { ...env(), HOLDFAST_TRIP: point } })
      expect(killed.code).toBeNull()
      expect(['installed', 'absent']).toContain((await statusOf())['claude'])
      if ((await statusOf())['claude'] === 'absent') expect(read('claude')).toBe(THEIRS)
      expect((await hooks('install', 'claude')).code).toBe(0)
      expect((await statusOf())['claude']).toBe('installed')
      const again = await run(home, ['agent', 'hooks', 'remove', 'claude'], { env: { ...env(), HOLDFAST_TRIP: point } })
      expect(again.code).toBe(point === 'hooks:backed-up' ? 0 : null)
      expect(JSON.parse(read('claude'))).toMatchObject({ model: 'opus' })
      await hooks('remove', 'claude')
      expect(read('claude')).toBe(THEIRS)
      expect(beside('claude')).toEqual(['settings.json'])
    },
  )
})

describe('the command of a hook', () => {
  const payload = JSON.stringify({ session_id: 'x', tool_input: 'y'.repeat(300_000) })
  const commandOf = async (): Promise<string> => {
    write('claude', '{}')
    await hooks('install', 'claude')
    return JSON.parse(read('claude')).hooks.Stop[0].hooks[0].command
  }
  const SILENT = { code: 0, stdout: '', stderr: '' }
  const sh = (command: string, more: Record<string, string | undefined>): Promise<Ran> =>
    runProgram('/bin/sh', ['-c', command], { env: { ...env(), HOLDFAST_HOME: home.path, ...more }, input: payload, timeoutMs: 10_000 })

  test('does nothing, and says nothing, outside Holdfast', async () => {
    expect(await sh(await commandOf(), { HOLDFAST_TERMINAL_ID: undefined })).toEqual(SILENT)
  })

  test('does nothing where Holdfast, its daemon or its terminal is gone, and starts none', async () => {
    const command = await commandOf()
    expect(await sh(command, { HOLDFAST_TERMINAL_ID: 't0000000001' })).toEqual(SILENT)
    expect(await sh(command.replaceAll(/'[^']*holdfast\.cjs'/g, '/nowhere/holdfast'), { HOLDFAST_TERMINAL_ID: 't0000000001' })).toEqual(
      SILENT,
    )
    expect((await run(home, ['daemon', 'status'])).code).not.toBe(0)
  })
})
