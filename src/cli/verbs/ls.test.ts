import { describe, expect, it } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { TerminalView } from '../../wire/view.ts'
import { listText } from './ls.ts'

const terminal = (changes: Partial<TerminalView>): TerminalView =>
  terminalView({ id: 't0000000001', run: 'r0000000001', command: 'zsh', cwd: '/home/ada/api', workspace: 'main', ...changes })

type Screen = Parameters<typeof listText>[1]
const screen = (changes: { isTTY?: boolean; columns?: number } = {}, env: Screen['env'] = {}): Screen => ({
  env: { HOME: '/home/ada', ...env },
  stdout: changes as Screen['stdout'],
})
const NOW = 120_000
const two = [
  terminal({ name: 'api', command: 'npm', args: ['run', 'dev'] }),
  terminal({ id: 't0000000002', state: 'asleep', because: { kind: 'exited', status: { code: 1 } } }),
]

describe('the list of terminals', () => {
  it('is a table that lines up, without colours where nobody looks', async () => {
    expect(`\n${await listText(two, screen(), NOW)}\n`).toBe(`
ID           NAME  STATE            COMMAND      CWD    AGE
t0000000001  api   live             npm run dev  ~/api  2m
t0000000002        asleep (exit 1)  zsh          ~/api  2m
`)
  })

  it('marks what is unread, pinned, muted or private; that a program has ended is said already', async () => {
    const marked = [
      terminal({ unread: true, pinned: true }),
      terminal({ id: 't0000000002', muted: true, private: true }),
      terminal({ id: 't0000000003', unread: true, state: 'asleep', because: { kind: 'exited', status: { code: 0 } } }),
    ]
    expect(`\n${await listText(marked, screen(), NOW)}\n`).toBe(`
ID           NAME  STATE                 COMMAND  CWD    AGE
t0000000001        live, unread, pinned  zsh      ~/api  2m
t0000000002        live, muted, private  zsh      ~/api  2m
t0000000003        asleep (exit 0)       zsh      ~/api  2m
`)
  })

  it('has the pinned ones first, and the others as they come', async () => {
    const lines = await listText([...two, terminal({ id: 't0000000003', pinned: true })], screen(), NOW)
    expect(lines.match(/^t\d+/gm)).toEqual(['t0000000003', 't0000000001', 't0000000002'])
  })

  it('is coloured for people, unless they said no', async () => {
    expect(await listText(two, screen({ isTTY: true, columns: 100 }), NOW)).toContain('\x1b[32mlive\x1b[39m')
    expect(await listText(two, screen({ isTTY: true, columns: 100 }, { NO_COLOR: '1' }), NOW)).not.toContain('\x1b')
  })

  it('says how agents do where there are any, and what to look at first', async () => {
    const agent = { name: 'claude', label: 'Claude Code', pid: 7, wants: null, words: null, model: null, title: null, tokens: null }
    const agents = [
      terminal({ agent: { ...agent, state: 'needs-you', since: -60_000 } }),
      terminal({ id: 't0000000002' }),
      terminal({ id: 't0000000003', agent: { ...agent, name: 'codex', state: 'done', since: 110_000 } }),
      terminal({ id: 't0000000004', agent: { ...agent, name: 'aider', state: 'unknown', since: 0 } }),
      terminal({ id: 't0000000005', agent: { ...agent, state: 'working', since: 300_000 } }),
    ]
    expect(`\n${await listText(agents, screen(), NOW)}\n`).toBe(`
ID           NAME  STATE  AGENT                COMMAND  CWD    AGE
t0000000001        live   claude needs you 3m  zsh      ~/api  2m
t0000000002        live                        zsh      ~/api  2m
t0000000003        live   codex done 10s       zsh      ~/api  2m
t0000000004        live   aider                zsh      ~/api  2m
t0000000005        live   claude working 0s    zsh      ~/api  2m
`)
    const painted = await listText(agents, screen({ isTTY: true, columns: 100 }), NOW)
    expect(painted).toContain('\x1b[33mclaude needs you 3m\x1b[39m')
    expect(painted).toContain('\x1b[1mcodex done 10s\x1b[22m')
    expect(painted).toContain('\x1b[32mclaude working 0s\x1b[39m')
  })

  it('fits the terminal by cutting what may be cut', async () => {
    const long = [terminal({ command: 'x'.repeat(200), cwd: `/home/ada/${'y'.repeat(100)}` })]
    const lines = (await listText(long, screen({ isTTY: true, columns: 70 }, { NO_COLOR: '1' }), NOW)).split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(70)
    expect(lines[1]).toMatch(/^t0000000001 .*x… {2}~\/y+… {2}2m$/)
    expect(await listText(long, screen(), NOW)).toContain('x'.repeat(200))
  })

  it('lines up wide characters, and lets no name command the terminal', async () => {
    const names = ['日本', 'e\u0301', '👩‍👩‍👧', 'a\x1b[31mb']
    const lines = (
      await listText(
        names.map((name) => terminal({ name })),
        screen(),
        NOW,
      )
    ).split('\n')
    expect(lines.slice(1)).toEqual([
      't0000000001  日本    live   zsh      ~/api  2m',
      't0000000001  e\u0301       live   zsh      ~/api  2m',
      't0000000001  👩‍👩‍👧      live   zsh      ~/api  2m',
      't0000000001  a[31mb  live   zsh      ~/api  2m',
    ])
  })
})
