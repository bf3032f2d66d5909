import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLoginLine, type LoginOrder, loginStart, quoted, START_VARIABLE } from './loginShell.ts'

const order: LoginOrder = { shell: '/bin/zsh', argv: ['claude', '--resume', 'x'], cwd: '/', env: {}, path: '', trialEnds: 0 }

const argvOf = (shell: string): readonly string[] => {
  const start = loginStart({ ...order, shell })
  return start === null ? [] : [start.command, ...start.args]
}

describe('the start by a login shell', () => {
  test('gives the shell a line that is the same for every program', () => {
    const other = loginStart({ ...order, argv: ['codex', "'; rm -rf ~; '"], cwd: "/a'b", env: { A: "'" } })
    expect(other?.args).toEqual(loginStart(order)?.args)
    expect(argvOf('/bin/zsh')).toEqual(['/bin/zsh', '-l', '-i', '-c', expect.stringMatching(/^exec \/bin\/sh -c 'eval [^']*'$/)])
  })

  test.each(['/usr/bin/bash', '/bin/sh', '/opt/fish', '/bin/dash', '/bin/ksh'])('asks %s to be a login shell', (shell) =>
    expect(argvOf(shell).slice(0, 4)).toEqual([shell, '-l', '-i', '-c']),
  )

  test('knows that csh takes no -l beside others, and reads what a login reads itself', () =>
    expect(argvOf('/bin/tcsh')).toEqual(['/bin/tcsh', '-c', expect.stringMatching(/^if \( -r ~\/\.login \) source ~\/\.login; exec /)]))

  test.each(['/usr/bin/nu', '/bin/elvish', '/bin/xonsh', '/bin/pwsh', '/opt/mine'])(
    'leaves %s, which may read the line otherwise, to sh',
    (shell) => expect(argvOf(shell).slice(0, 2)).toEqual(['/bin/sh', '-l']),
  )

  test('is known by its line, and nothing else is', () => {
    for (const shell of ['/bin/zsh', '/bin/tcsh', '/usr/bin/nu']) expect(isLoginLine(argvOf(shell).slice(1)), shell).toBe(true)
    expect(isLoginLine(['-l', '-i', '-c', 'exec claude'])).toBe(false)
    expect(isLoginLine([])).toBe(false)
  })

  test('is none where it would be too long for a variable', () => {
    expect(loginStart({ ...order, argv: ['claude', 'é'.repeat(50_000)] })).not.toBeNull()
    expect(loginStart({ ...order, argv: ['claude', 'é'.repeat(61_000)] })).toBeNull()
  })

  test('sets no variable that is none, and none of ours', () => {
    const text = loginStart({ ...order, env: { 'a b': 'x', HOLDFAST_HOME: 'y', GOOD_1: 'z' } })?.env[START_VARIABLE]
    expect(text?.match(/^export .*$/gm)).toEqual([`export GOOD_1='z'`])
  })
})

/** What can be an argument at all: no NUL, and no half of a character, which no system call could carry. */
const word = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Buffer.from(text.replaceAll('\0', '')).toString())
const nasty = fc.constantFrom(
  "'",
  "''",
  '\\',
  "\\'",
  '$HOME',
  '$(id)',
  '`id`',
  '!',
  '!!',
  '\n',
  '-n',
  '--',
  '',
  '*',
  '~',
  '"',
  ';',
  '&',
  '\u{1b}[A',
  'é',
  '🦀',
)
const argument = fc.oneof(
  word,
  fc.array(fc.oneof(nasty, word), { maxLength: 4 }).map((parts) => parts.join('')),
)
const PRINTS = ['/bin/sh', '-c', 'printf "%s\\0" "$A" "$PWD" "$@"', 'prints']
const CLEARED = '\u{1b}[0m\u{1b}[H\u{1b}[2J'

test('any arguments and any value arrive byte for byte', () => {
  fc.assert(
    fc.property(fc.array(argument, { maxLength: 6 }), argument, (args, value) => {
      const start = loginStart({ ...order, argv: [...PRINTS, ...args], env: { A: value }, shell: '/bin/true' })
      const env = { PATH: process.env['PATH'], [START_VARIABLE]: start?.env[START_VARIABLE] }
      const printed = execFileSync('/bin/sh', ['-c', `eval "$${START_VARIABLE}"`], { env, stdio: ['ignore', 'pipe', 'ignore'] })
      expect(printed.toString()).toBe(CLEARED + [value, '/', ...args].map((text) => `${text}\0`).join(''))
    }),
    { numRuns: 150 },
  )
})

test('quotes leave nothing for the shell to read', () => {
  fc.assert(fc.property(argument, (text) => void expect(quoted(text)).toMatch(/^'[^']*'(?:\\''[^']*')*$/)))
})
