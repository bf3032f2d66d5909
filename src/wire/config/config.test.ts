import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AGENTS } from '../../agents/programs/all.ts'
import { isUserAgent } from '../../agents/programs/userAgents.ts'
import { type ConfigProblem, defaultConfig, describeConfig, exampleConfig, parseConfig } from './config.ts'
import { findLines } from './configLines.ts'

function problemsOf(text: string): readonly ConfigProblem[] {
  const parsed = parseConfig(text)
  return parsed.ok ? [] : parsed.problems
}

/** `LINE KEY` of each problem. */
const placesOf = (text: string): string[] => problemsOf(text).map(({ line, key }) => `${line} ${key}`)

describe('a good file', () => {
  test('sets what it names and leaves the rest at its default', () => {
    const text = `
      shell = '/bin/fish'
      size = "80x24"
      log_bytes = 1_048_576
      attach.escape = ""
      [env]
      allow = [
        "ACME_*", # a comment
        "TOKEN",
      ]
      [web]
      port = 0
    `
    expect(parseConfig(text)).toEqual({
      ok: true,
      config: {
        ...defaultConfig,
        shell: '/bin/fish',
        size: { cols: 80, rows: 24 },
        logBytes: 1_048_576,
        attach: { ...defaultConfig.attach, escape: '' },
        env: { allow: ['ACME_*', 'TOKEN'] },
        web: { ...defaultConfig.web, port: 0 },
      },
    })
  })

  test('may be empty, have Windows line ends, or begin with a byte order mark', () => {
    expect(parseConfig('')).toEqual({ ok: true, config: defaultConfig })
    expect(parseConfig('\ufeffsettle_ms = 1\r\n[web]\r\nport = 1\r\n')).toMatchObject({
      ok: true,
      config: { settleMs: 1, web: { port: 1 } },
    })
  })
})

test('the defaults are those that are documented', () => {
  expect(defaultConfig).toEqual({
    shell: '',
    size: { cols: 120, rows: 40 },
    sizePolicy: 'last-typed',
    scrollbackLines: 2_000,
    logBytes: 8 << 20,
    logTotalBytes: 1 << 30,
    snapshotIntervalS: 5,
    settleMs: 2_500,
    backend: 'holder',
    logLevel: 'info',
    env: { allow: [] },
    checkpoints: { intervalS: 60, debounceMs: 1_000, count: 50, days: 14 },
    sleep: { idleS: 0, memoryPercent: 0 },
    repositories: { trusted: [], pullRequests: false },
    health: { intervalS: 30, deadlineMs: 5_000 },
    programs: { may: 'report' },
    restore: { policy: 'manual', staggerMs: 500, most: 20 },
    attach: { detach: 'C-\\ C-\\', escape: '~.', scroll: 'C-\\ [', history: 1_000 },
    web: { enabled: true, port: 4_653, hosts: [], trustedUids: [] },
    devices: { expireDays: 30 },
    page: {
      theme: 'system',
      terminalTheme: 'holdfast',
      fontFamily: '',
      fontSize: 13,
      copyOnSelect: false,
      pasteGuard: true,
      clipboard: 'ask',
      notifications: true,
      quietHours: '',
      keys: {},
    },
    resume: {},
    agents: AGENTS,
    search: { enabled: true, maxBytes: 256 << 20 },
  })
})

test('keys of the page are read by action, and written back as they stand', () => {
  const parsed = parseConfig('[page.keys]\npalette = "Ctrl+P"\n"terminal.new" = ""\n')
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message)
  expect(parsed.config.page.keys).toEqual({ palette: 'Ctrl+P', 'terminal.new': '' })
  const row = describeConfig(parsed.config).find(({ key }) => key === 'page.keys')
  expect(row?.lines).toEqual(['palette = "Ctrl+P"', '"terminal.new" = ""'])
  expect(problemsOf('page.quiet_hours = "late"')[0]?.message).toBe(
    'page.quiet_hours must be a text in quotes: two different times of day as in "22:00-07:00", or empty',
  )
})

describe('a bad value', () => {
  test.each([
    'shell = 1',
    'shell = "a\\u0000b"',
    'size = "120"',
    'size = "1x1"',
    'size = "1001x40"',
    'scrollback_lines = 99',
    'scrollback_lines = 50_001',
    'scrollback_lines = "2000"',
    'scrollback_lines = 2000.5',
    'scrollback_lines = nan',
    'log_bytes = 262_143',
    'snapshot_interval_s = 0',
    'settle_ms = -1',
    'settle_ms = 1979-05-27',
    'log_level = "loud"',
    'env.allow = "PATH"',
    'env.allow = ["*"]',
    'env.allow = ["A*B"]',
    'env.allow = [1]',
    'attach.detach = ""',
    'attach.detach = "C-\\\\  C-\\\\"',
    'attach.detach = "Foo"',
    'attach.escape = "~"',
    'web.enabled = "yes"',
    'web.port = 65_536',
    'web.hosts = ["http://a"]',
    'web.hosts = ["*"]',
    'page.theme = "blue"',
    'page.terminal_theme = ""',
    'page.font_family = "a; b"',
    'page.font_size = 7',
    'page.font_size = 33',
    'page.clipboard = true',
    'page.quiet_hours = "22-7"',
    'page.quiet_hours = "22:00-24:00"',
    'page.quiet_hours = "22:00-22:00"',
    'page.keys = "Ctrl+K"',
    'page.keys.palette = "Control-K"',
    'page.keys.palette = 1',
    'page.keys.Palette = "Ctrl+K"',
  ])('is refused and named: %s', (line) => {
    const key = line.split(' =')[0]
    expect(problemsOf(`# first\n${line}`)).toEqual([{ line: 2, key, message: expect.stringMatching(new RegExp(`^${key} `)) }])
  })

  test.each([
    'scrollback_lines = 100',
    'scrollback_lines = 50000',
    'log_bytes = 1_073_741_824',
    'attach.detach = "C-a d"',
    'attach.detach = "F12"',
    'web.hosts = ["box.tail.net", "[::1]:8080", "10.0.0.1:99"]',
    'log_level = "trace"',
    'page.quiet_hours = "22:00-07:00"',
    'page.font_family = "JetBrains Mono, monospace"',
    'page.keys.palette = "Ctrl+Shift+P"',
    'page.keys."terminal.new" = "Alt++"',
    'page.keys.find = ""',
  ])('is not one at the edge of its bounds: %s', (line) => expect(problemsOf(line)).toEqual([]))
})

describe('an unknown key', () => {
  test.each([
    ['scrolback_lines = 1', 'scrollback_lines'],
    ['scrollbackLines = 1', 'scrollback_lines'],
    ['log-level = 1', 'log_level'],
    ['port = 1', 'web.port'],
    ['[wbe]\nport = 1', 'web'],
    ['[web]\nprot = 1', 'web.port'],
    ['[attach]\ndeatch = 1', 'attach.detach'],
  ])('suggests the nearest known one: %j', (text, near) => {
    expect(problemsOf(text)[0]?.message).toMatch(new RegExp(`^there is no option .*; the nearest is ${near.replace('.', '\\.')}$`))
  })

  test('suggests nothing when nothing is near', () => {
    expect(problemsOf('unicorns = true')).toEqual([{ line: 1, key: 'unicorns', message: 'there is no option unicorns' }])
  })

  test('is one even when every object has it', () => {
    expect(placesOf('constructor = 1\n__proto__ = 2\ntoString = 3\n[web]\nvalueOf = 4')).toEqual([
      '1 constructor',
      '2 __proto__',
      '3 toString',
      '5 web.valueOf',
    ])
  })
})

describe('a problem has the line of its key', () => {
  test.each([
    ['under a header', 'shell = ""\n\n[web] # page\n  port = 1\n  nope = 2\n', ['5 web.nope']],
    ['under a header with spaces and quotes', '[ "web" ]\n\n"nope" = 2', ['3 web.nope']],
    ['dotted', 'settle_ms = 1\nweb . nope = 2', ['2 web.nope']],
    ['in an inline table', '\nweb = { port = 1, nope = 2 }', ['2 web.nope']],
    ['in an inline table over several lines', 'web = {\n  port = 1,\n  nope = 2,\n}', ['3 web.nope']],
    ['behind a list over several lines', '[env]\nallow = [\n  "A", # nope = 1\n  "B",\n]\nnope = 1', ['6 env.nope']],
    ['behind a long text', 'shell = """\nnope = 1\n[web]\n"""\nnope = 2', ['1 shell', '5 nope']],
    ['behind a long literal text', "x = '''\n\"\"\" nope = 1\n'''\nnope = 2", ['1 x', '4 nope']],
    ['behind texts that look like other things', `shell = "# = [ \\" {"\nx = '# [ {"'\nnope = 1`, ['2 x', '3 nope']],
    ['of a value that should be a section', '\nweb = 3\nenv = []', ['2 web', '3 env']],
    ['of an unknown section', 'settle_ms = 1\n\n[nope.deeper]\nx = 1', ['3 nope']],
    ['in a list of tables', '\n[[web]]\nport = 1', ['2 web']],
    ['with a name that needs quotes', 'settle_ms = 1\n"a b" = 1', ['2 "a b"']],
    ['several, in order', '[web]\nport = "x"\n[attach]\nescape = 1\n[env]\nallow = 1', ['2 web.port', '4 attach.escape', '6 env.allow']],
  ])('%s', (_, text, places) => expect(placesOf(text)).toEqual(places))

  test('and a text that is not TOML has the line of the parser', () => {
    expect(problemsOf('settle_ms = 1\n\nshell = \n')).toEqual([{ line: 3, key: '', message: 'not TOML: invalid value' }])
    expect(problemsOf('shell = "a"\nshell = "b"')).toMatchObject([{ line: 2, key: '' }])
  })
})

describe('the resume table', () => {
  test('is read by section, dotted or inline', () => {
    for (const text of ['[resume]\nclaude = ["-c", "x y"]\nmine = []', 'resume.claude = ["-c", "x y"]\nresume.mine = []']) {
      const parsed = parseConfig(text)
      expect(parsed).toMatchObject({ ok: true, config: { resume: { claude: ['-c', 'x y'], mine: [] } } })
    }
  })

  test('has its own words for what is wrong, each with its line', () => {
    const text = '[web]\nport = 1\n\n[resume]\nclaude = "--continue"\n"/bin/codex" = []\ngemini = ["a", 7]\nfine = []\n"my agent" = []'
    expect(problemsOf(text)).toEqual([
      { line: 5, key: 'resume.claude', message: 'resume.claude must be a list of arguments like ["--continue"]' },
      { line: 6, key: 'resume."/bin/codex"', message: 'resume."/bin/codex" is a path: write only its last part, "codex"' },
      { line: 7, key: 'resume.gemini', message: 'resume.gemini has an argument 2 that is not a text in quotes' },
      { line: 9, key: 'resume."my agent"', message: 'resume."my agent" cannot be the name of a command' },
    ])
    expect(problemsOf('\nresume = 3')).toMatchObject([{ line: 2, key: 'resume', message: expect.stringMatching(/^resume is a section/) }])
    expect(placesOf('[resume]\nclaude.x = 1')).toEqual(['2 resume.claude'])
  })

  test('is shown with every command, and so that it can be read again', () => {
    const parsed = parseConfig('[resume]\n"é" = ["a \\"b\\""]')
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message)
    const row = describeConfig(parsed.config).find(({ key }) => key === 'resume')
    expect(row?.value).toBe('{ "é" = ["a \\"b\\""] }')
    expect(parseConfig(`resume = ${row?.value}`)).toEqual(parsed)
  })
})

describe('the agents', () => {
  const MINE = '[agents.mine]\nresume = ["--resume", "{id}"]\nquit_keys = "C-c C-c"\n\n[agents.claude]\nlatest = ["-c"]'

  test('are the known ones, with those of the user over them', () => {
    const parsed = parseConfig(MINE)
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message)
    const { agents } = parsed.config
    expect(agents).toHaveLength(AGENTS.length + 1)
    expect(agents.find(({ id }) => id === 'mine')?.resume?.('x')).toEqual(['--resume', 'x'])
    expect(agents.find(({ id }) => id === 'claude')).toMatchObject({ label: 'Claude Code', latest: ['-c'] })
  })

  test('have their own words for what is wrong, each with its line', () => {
    expect(problemsOf('[agents.mine]\nlabel = "x"\nresume = ["-r"]\n\n[agents]\n"a b" = {}\nx = { quit_keys = "Hyper" }')).toEqual([
      { line: 3, key: 'agents.mine.resume', message: 'agents.mine.resume must have {id} in one of its arguments' },
      { line: 6, key: 'agents."a b"', message: 'agents."a b" is not a valid agent name' },
      { line: 7, key: 'agents.x.quit_keys', message: expect.stringContaining('must be one to four keys') },
    ])
    expect(problemsOf('agents = 3')).toMatchObject([{ line: 1, key: 'agents', message: expect.stringMatching(/^agents is a section/) }])
  })

  test('are shown as far as the user has written them, and so that they can be read again', () => {
    const parsed = parseConfig(MINE)
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message)
    const row = describeConfig(parsed.config).find(({ key }) => key === 'agents')
    const again = parseConfig(`agents = ${row?.value}`)
    expect(again.ok && again.config.agents.filter(isUserAgent).map(({ id, written }) => ({ id, written }))).toEqual([
      { id: 'mine', written: { resume: ['--resume', '{id}'], quit_keys: 'C-c C-c' } },
      { id: 'claude', written: { latest: ['-c'] } },
    ])
    expect(describeConfig().find(({ key }) => key === 'agents')?.lines).toEqual([])
  })
})

describe('any text', () => {
  const piece = fc.constantFrom(
    ...'[]{}=.,#"\'\\ \n\t',
    '"""',
    "'''",
    'web',
    'port',
    'size',
    'env',
    'allow',
    '1',
    'true',
    '"120x40"',
    '\r\n',
    '=',
    '\n',
  )
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  )

  test('is parsed or refused with a line inside it, and never throws', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const lines = text.split('\n').length
        for (const { line, message } of problemsOf(text)) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect(line).toBeLessThanOrEqual(lines)
          expect(message).not.toBe('')
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('can be searched for lines', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(findLines(text)(['web', 'port'])).toBeGreaterThanOrEqual(1)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['brackets', `x = ${'['.repeat(100_000)}`],
    ['braces', `x = ${'{a='.repeat(50_000)}`],
    ['a long key', `${'a.'.repeat(50_000)}a = 1`],
    ['a long list', `x = [${'1,'.repeat(200_000)}]`],
  ])('is refused quickly when it is made of %s', (_, text) => {
    const before = performance.now()
    expect(parseConfig(text).ok).toBe(false)
    expect(performance.now() - before).toBeLessThan(3_000)
  })
})

describe('the table', () => {
  test('has every default within its bounds', () => {
    for (const { key, default: value } of describeConfig()) expect(problemsOf(`${key} = ${value}`), key).toEqual([])
  })

  test('describes each option with a sentence, and the value that is in force', () => {
    const parsed = parseConfig('settle_ms = 7\nenv.allow = ["A", "B_*"]\nattach.detach = "C-\\\\ C-a"')
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message)
    const rows = describeConfig(parsed.config)
    expect(rows.map(({ key }) => key)).toContain('web.hosts')
    for (const { sentence } of rows) expect(sentence).toMatch(/^[A-Z].*\.$/)
    const row = (wanted: string) => rows.find(({ key }) => key === wanted)
    expect(row('settle_ms')).toMatchObject({ value: '7', default: '2500', bounds: '0 to 60000', type: 'whole number' })
    expect(row('env.allow')).toMatchObject({ value: '["A", "B_*"]', default: '[]' })
    expect(row('attach.detach')).toMatchObject({ value: '"C-\\\\ C-a"', default: '"C-\\\\ C-\\\\"' })
    expect(row('log_bytes')?.bounds).toBe('262144 (256 KiB) to 1073741824 (1 GiB)')
  })

  test('makes an example file that changes nothing, as it is or with every option switched on', () => {
    const example = exampleConfig()
    expect(parseConfig(example)).toEqual({ ok: true, config: defaultConfig })
    const active = example.replaceAll(/^#(?! )/gm, '')
    expect(parseConfig(active)).toEqual({ ok: true, config: defaultConfig })
    const lines = describeConfig().reduce((count, row) => count + (row.lines?.length ?? 1), 0)
    expect(active.match(/^[a-z_]+ = /gm)).toHaveLength(lines)
  })
})
