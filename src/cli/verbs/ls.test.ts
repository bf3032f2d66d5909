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

  it('is coloured for people, unless they said no', async () => {
    expect(await listText(two, screen({ isTTY: true, columns: 100 }), NOW)).toContain('\x1b[32mlive\x1b[39m')
    expect(await listText(two, screen({ isTTY: true, columns: 100 }, { NO_COLOR: '1' }), NOW)).not.toContain('\x1b')
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
