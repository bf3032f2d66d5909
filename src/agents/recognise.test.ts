import { describe, expect, test } from 'vitest'
import type { ProcessSight } from './agent.ts'
import { AGENTS } from './programs/all.ts'
import { agentOfProcess, recognise } from './recognise.ts'

type Row = readonly [pid: number, parent: number, group: number, argv: string, more?: Partial<ProcessSight>]

const sight = ([pid, parent, group, line, more]: Row): ProcessSight => {
  const argv = line.split(' ')
  const [first = ''] = argv
  return {
    pid,
    start: String(pid),
    parent,
    group,
    session: '10',
    name: first.slice(first.lastIndexOf('/') + 1),
    executable: null,
    argv,
    ...more,
  }
}

const seen = (foreground: number, ...rows: readonly Row[]) => {
  const found = recognise(rows.map(sight), foreground, 10, AGENTS)
  return found === null ? null : { agent: found.agent.id, pid: found.process.pid, pids: found.pids }
}

const SHELL: Row = [10, 1, 10, '-zsh']
const NODE = { name: 'MainThread', executable: '/usr/bin/node' }

describe('the agent of a terminal', () => {
  test('is the program in front of its shell', () => {
    expect(seen(20, SHELL, [20, 10, 20, 'claude --model opus'])).toEqual({ agent: 'claude', pid: 20, pids: [20] })
  })

  test('is the terminal’s own command where there is no shell', () => {
    expect(seen(10, [10, 1, 10, '/opt/bin/opencode'])).toEqual({ agent: 'opencode', pid: 10, pids: [10] })
  })

  test('is the wrapper together with the real one below it', () => {
    const native = { executable: '/x/codex-linux-x64/vendor/bin/codex' }
    expect(
      seen(20, SHELL, [20, 10, 20, 'node /x/node_modules/.bin/codex --no-daemon'], [21, 20, 20, '/x/vendor/bin/codex --no-daemon', native]),
    ).toEqual({ agent: 'codex', pid: 20, pids: [20, 21] })
    expect(
      seen(20, SHELL, [20, 10, 20, 'node /x/.bin/gemini', NODE], [21, 20, 20, 'node --max-old-space-size=4096 /x/.bin/gemini', NODE]),
    ).toEqual({ agent: 'gemini', pid: 20, pids: [20, 21] })
  })

  test('is found below npx, a shell that runs a line, and a script of the user', () => {
    expect(
      seen(20, SHELL, [20, 10, 20, 'npm exec codex'], [21, 20, 20, 'sh -c codex'], [22, 21, 20, 'node /h/_npx/1/node_modules/.bin/codex']),
    ).toMatchObject({ agent: 'codex', pid: 22 })
    expect(seen(20, SHELL, [20, 10, 20, 'bash /home/me/bin/work'], [21, 20, 20, 'claude'])).toMatchObject({ agent: 'claude', pid: 21 })
    expect(seen(20, SHELL, [20, 10, 20, 'bash /home/me/bin/claude'], [21, 20, 20, '/opt/claude'])).toEqual({
      agent: 'claude',
      pid: 20,
      pids: [20, 21],
    })
  })

  test('is found in a terminal that script makes, but not what that one starts in turn', () => {
    const inner = { session: '30' }
    const rows: readonly Row[] = [SHELL, [20, 10, 20, 'script -q /dev/null bash'], [30, 20, 30, 'bash', inner]]
    expect(seen(20, ...rows, [31, 30, 31, 'claude', inner])).toMatchObject({ agent: 'claude', pid: 31 })
    expect(seen(20, ...rows, [31, 30, 31, 'make', inner], [32, 31, 32, 'claude', { session: '32' }])).toBeNull()
  })

  test('stays the one above while it has an editor or a tool in front', () => {
    expect(seen(30, SHELL, [20, 10, 20, 'claude'], [30, 20, 30, 'vim notes'])).toMatchObject({ agent: 'claude', pid: 20 })
  })

  test('is never one that an agent has started', () => {
    const tool = { session: '30' }
    const nested: Row = [31, 30, 30, 'codex', tool]
    expect(seen(20, SHELL, [20, 10, 20, 'claude'], [30, 20, 30, 'sh -c codex', tool], nested)).toEqual({
      agent: 'claude',
      pid: 20,
      pids: [20],
    })
    expect(seen(20, SHELL, [20, 10, 20, 'claude'], [21, 20, 20, 'claude'], [22, 21, 20, 'codex'])).toMatchObject({ pids: [20, 21] })
    expect(seen(20, SHELL, [20, 10, 20, 'claude'], [30, 20, 30, 'claude', tool])).toMatchObject({ pids: [20] })
    expect(seen(20, SHELL, [20, 10, 20, 'codex exec fix'], [21, 20, 20, 'claude'])).toBeNull()
  })

  test('is none while the shell has the keyboard, whatever stands stopped behind it', () => {
    expect(seen(10, SHELL, [20, 10, 20, 'claude'])).toBeNull()
    expect(seen(30, SHELL, [20, 10, 20, 'claude'], [30, 10, 30, 'codex'])).toMatchObject({ agent: 'codex', pids: [30] })
  })

  test.each(['claude mcp list', 'claude --version', 'claude -p hello', 'codex exec fix', 'opencode serve', 'goose up'])(
    'is none where there is no conversation: %s',
    (line) => expect(seen(20, SHELL, [20, 10, 20, line])).toBeNull(),
  )

  test('is none where nothing could be observed, or processes stand in a circle', () => {
    expect(seen(20)).toBeNull()
    expect(seen(20, [20, 10, 20, 'claude'])).toBeNull()
    expect(seen(12, [10, 12, 10, 'zsh'], [11, 10, 12, 'make'], [12, 11, 12, 'sh'])).toBeNull()
  })
})

describe('one process', () => {
  const of = (line: string, more: Partial<ProcessSight> = {}) => agentOfProcess(sight([1, 0, 1, line, more]), AGENTS)?.id ?? null

  test.each<[string, string, Partial<ProcessSight>]>([
    ['claude', 'claude', { executable: '/x/@anthropic-ai/claude-code/bin/claude.exe' }],
    ['claude', '2.1.325', { name: '2.1.325', executable: '/home/me/.local/share/claude/versions/2.1.325' }],
    ['codex', 'node /usr/lib/node_modules/@openai/codex/bin/codex.js', NODE],
    ['gemini', 'node --no-warnings -r /x/hook.js /usr/lib/node_modules/@google/gemini-cli/dist/index.js', NODE],
    ['pi', 'pi   ', { executable: '/usr/bin/node' }],
    ['kilo', '/x/bin/.kilo', {}],
    ['copilot', '/x/@github/copilot-linux-x64/copilot --server', NODE],
    ['qwen', '/usr/bin/node /usr/local/bin/qwen', NODE],
    ['aider', 'python3.12 -m aider --model x', {}],
    ['cursor', '/home/me/.local/share/cursor-agent/versions/1/node /home/me/.local/share/cursor-agent/versions/1/index.js', NODE],
    ['goose', 'goose session', {}],
    ['amp', 'amp', {}],
    ['auggie', 'node /usr/local/bin/auggie', NODE],
    ['droid', 'droid', { executable: '/x/node_modules/@factory/cli-linux-x64/bin/droid' }],
    ['grok', 'bun /usr/bin/grok', {}],
    ['crush', '/usr/bin/crush', {}],
  ])('is %s: %s', (id, line, more) => expect(of(line, more)).toBe(id))

  test.each([
    'vim claude',
    'python3 pi.py',
    'node amp.js',
    'bash -c claude',
    'sh -lc codex resume',
    'node -e claude',
    'less /x/@openai/codex/README',
    '-zsh',
    '',
  ])('is no agent: %s', (line) => expect(of(line)).toBeNull())
})
