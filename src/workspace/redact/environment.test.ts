import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { terminalId } from '../../../test/support/terminals.ts'
import { type EnvironmentSources, environmentFor, matcher } from './environment.ts'

const ours = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  HOLDFAST_TERMINAL_ID: terminalId(1),
  HOLDFAST_SOCKET: '/run/h.sock',
  HOLDFAST_HOME: '/home/ada/.holdfast',
}
const build = (sources: Partial<EnvironmentSources>) =>
  environmentFor({
    inherited: {},
    allow: [],
    set: {},
    terminal: terminalId(1),
    socket: '/run/h.sock',
    home: '/home/ada/.holdfast',
    ...sources,
  })

test('starts from nothing but our own variables', () => expect(build({})).toEqual(ours))

test.each([
  'HOME',
  'PATH',
  'LANG',
  'LC_ALL',
  'SSH_AUTH_SOCK',
  'XDG_RUNTIME_DIR',
  'https_proxy',
  'NODE_EXTRA_CA_CERTS',
  'ANTHROPIC_API_KEY',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'CLAUDE_CODE_USE_BEDROCK',
  'OPENCODE_CONFIG',
  'GEMINI_API_KEY',
])('%s is inherited', (name) => expect(build({ inherited: { [name]: 'x' } })).toEqual({ ...ours, [name]: 'x' }))

const LEFT_BEHIND = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_PID',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'GEMINI_CLI',
  'OPENCODE',
  'OPENCODE_PID',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'NODE_OPTIONS',
  'NODE_CHANNEL_FD',
  'npm_config_cache',
  'HOLDFAST_HOME',
  'HOLDFAST_SOCKET',
  'HOLDFAST_TERMINAL_ID',
]

test.each(LEFT_BEHIND)('%s is not inherited, even if everything is allowed', (name) => {
  expect(build({ inherited: { [name]: 'outer' }, allow: ['*', name] })).toEqual(ours)
})

test.each(['SECRET', 'GIT_DIR', 'GIT_INDEX_FILE', 'LD_PRELOAD', 'OLDPWD', 'SHLVL'])(
  '%s is inherited only if the user allows it',
  (name) => {
    expect(build({ inherited: { [name]: 'x' } })).toEqual(ours)
    expect(build({ inherited: { [name]: 'x' }, allow: [name] })).toEqual({ ...ours, [name]: 'x' })
  },
)

test('what the user sets wins over everything but our own variables', () => {
  const set = { TERM: 'dumb', HOME: '/other', CLAUDECODE: '1', SECRET: 's', HOLDFAST_SOCKET: '/evil', HOLDFAST_HOME: '/evil' }
  expect(build({ inherited: { HOME: '/home/ada' }, set })).toEqual({ ...ours, TERM: 'dumb', HOME: '/other', CLAUDECODE: '1', SECRET: 's' })
})

test('what no program can be given is left out', () => {
  expect(build({ inherited: { HOME: 'a\0b', PATH: undefined }, set: { '': 'x', 'A=B': 'x', 'N\0': 'x', OK: '' } })).toEqual({
    ...ours,
    OK: '',
  })
})

describe('a pattern', () => {
  test.each([
    ['LC_*', 'LC_ALL', true],
    ['LC_*', 'LC_', true],
    ['LC_*', 'XLC_ALL', false],
    ['*_TOKEN', 'GH_TOKEN', true],
    ['A*B*C', 'A__B__C', true],
    ['A*B*C', 'AC', false],
    ['A*A', 'A', false],
    ['A*BB*B', 'ABB', false],
    ['A.C', 'ABC', false],
    ['HOME', 'HOMES', false],
  ])('%s on %s: %s', (pattern, name, fits) => expect(matcher([pattern])(name)).toBe(fits))

  test('means the same as a regular expression would', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
        expect(matcher([pattern])(name)).toBe(pattern.includes('*') ? expression.test(name) : pattern === name)
      }),
      { numRuns: 1000 },
    )
  })
})

test('whatever is inherited, allowed and set, our own variables are ours and no marker of an outer program comes through', () => {
  const name = fc.oneof(fc.constantFrom(...LEFT_BEHIND, 'HOME', 'PATH'), fc.string())
  const environment = fc.dictionary(name, fc.string())
  fc.assert(
    fc.property(environment, fc.array(name), (inherited, allow) => {
      const built = build({ inherited, allow: [...allow, '*'] })
      expect(built).toMatchObject({ HOLDFAST_TERMINAL_ID: terminalId(1), HOLDFAST_SOCKET: '/run/h.sock' })
      for (const marker of LEFT_BEHIND) if (!Object.hasOwn(ours, marker)) expect(Object.hasOwn(built, marker)).toBe(false)
    }),
  )
})
