import { describe, expect, it } from 'vitest'
import { resumeArgv } from '../../agents/argv.ts'
import { AGENTS, agentNamed } from '../../agents/programs/all.ts'
import { loginStart } from '../command/loginShell.ts'
import { type Above, type Around, wrapperAround } from './around.ts'
import { type Wrapper, wrappedArgv } from './wrapper.ts'

const ID = '0198f7c1-9c1e-4f50-b111-0c2b7e1a2d01'
const FREE = { places: [], rights: [] } as const
const words = (line: string): readonly string[] => line.split(' ')

function process(argv: string | readonly string[], more: Partial<Above> = {}): Above {
  return { argv: typeof argv === 'string' ? words(argv) : argv, cwd: '/work', env: {}, confined: FREE, ...more }
}

type Seen = Partial<Omit<Around, 'agent'>> & {
  readonly agent?: string
  /** Below the shell at its prompt. */
  readonly between?: readonly Above[]
}

function around({ agent = 'claude', own = process('claude --model opus'), between = [], ...more }: Seen): Around {
  const known = agentNamed(AGENTS, agent)
  if (known === null) throw new Error(`no agent ${agent}`)
  const shell = process('-bash')
  const started = { argv: ['/bin/bash'], cwd: '/work' }
  return { agent: known, own, started, above: [shell, ...between], hasWords: true, kept: null, ...more }
}

/** As it would be resumed; null where it would not be. */
function resumed(seen: Around): readonly string[] | null {
  const wrapper = wrapperAround(seen)
  const direct = resumeArgv(seen.agent, { argv: seen.own.argv, id: ID }) ?? []
  if (wrapper.kind === 'none') return direct
  return wrapper.kind === 'line' ? wrappedArgv(wrapper, direct.slice(1)) : null
}
const text = (seen: Around): string | null => resumed(seen)?.join(' ') ?? null
const whyOf = (wrapper: Wrapper): string => (wrapper.kind === 'unsure' ? wrapper.why : wrapper.kind)

describe('an agent that a shell has started', () => {
  it('has no wrapper, whichever shells stand above it', () => {
    expect(wrapperAround(around({}))).toEqual({ kind: 'none' })
    expect(wrapperAround(around({ between: [process('zsh'), process('bash -l')] }))).toEqual({ kind: 'none' })
  })
})

describe('a wrapper whose last words are the agent’s own', () => {
  it.each([
    ['bwrap --ro-bind / / --unshare-all -- claude --model opus'],
    ['firejail --net=none claude --model opus'],
    ['/bin/sh /opt/jail claude --model opus'],
    ['docker run -it --rm image claude --model opus'],
    ['op run --env-file x -- /opt/bin/claude --model opus'],
    ['sudo -u agent claude --model opus'],
    ['nix develop -c claude --model opus'],
    ['script -q /dev/null claude --model opus'],
    ['mise x -- claude --model opus'],
    ['npx -y @anthropic-ai/claude-code@2.1 --model opus'],
    ['bunx --bun @anthropic-ai/claude-code --model opus'],
    ['uv tool uvx --from x claude --model opus'],
    ['nix run nixpkgs#claude-code -- --model opus'],
    ['npm exec -- @anthropic-ai/claude-code --model opus'],
  ])('is run again with the arguments replaced: %s', (line) => {
    const seen = around({ between: [process(line)] })
    expect(text(seen)).toBe(line.replace(/--model opus$/, `--resume ${ID} --model opus`))
    // The terminal may have been made for it: then its words are known even if its process has become the agent.
    expect(text(around({ started: { argv: words(line), cwd: '/work' }, above: [] }))).toBe(text(seen))
  })

  it('is the outermost one, however many it starts in turn', () => {
    const between = ['op run -- npx claude --model opus', 'sh -c claude\u00a0--model', 'bwrap -- claude --model opus'].map((line) =>
      process(line),
    )
    expect(text(around({ between }))).toBe(`op run -- npx claude --resume ${ID} --model opus`)
  })

  it('gets a -- where options behind a package would be its own', () => {
    const own = process('claude')
    expect(text(around({ own, between: [process('nix run nixpkgs#claude-code')] }))).toBe(`nix run nixpkgs#claude-code -- --resume ${ID}`)
    expect(text(around({ own, between: [process('npx claude')] }))).toBe(`npx claude --resume ${ID}`)
  })

  it('is run where it was run, not where the agent is', () => {
    const between = [process('bwrap --chdir /inside claude --model opus', { cwd: '/home/u/project' })]
    expect(wrapperAround(around({ own: process('claude --model opus', { cwd: '/inside' }), between }))).toMatchObject({
      kind: 'line',
      cwd: '/home/u/project',
    })
  })

  it('is known by the title that npx writes over its words, if that tells them all', () => {
    const title = (line: string): Above => process([line, '', '', ''])
    const yes = process('claude --model opus', { env: { npm_config_yes: 'true' } })
    expect(text(around({ own: yes, between: [title('npm exec @anthropic-ai/claude-code@2.1 --model opus')] }))).toBe(
      `npx --yes @anthropic-ai/claude-code@2.1 --resume ${ID} --model opus`,
    )
    const again = process(`claude --resume ${ID}`)
    expect(text(around({ own: again, between: [title('npm exec claude --resume ***')] }))).toBe(`npx claude --resume ${ID}`)
    // With --package the word is a command of another package: without it npx would fetch whatever is called so.
    const env = {
      npm_config_package: 'x\n\ny@2',
      npm_config_ignore_scripts: 'true',
      npm_config_offline: '',
      npm_config_registry: 'http://r',
    }
    const other = process('claude --model opus', { env })
    expect(text(around({ own: other, between: [title('npm exec claude --model opus')] }))).toBe(
      `npx --package=x --package=y@2 --registry=http://r --ignore-scripts claude --resume ${ID} --model opus`,
    )
    const called = process('claude --model opus', { env: { npm_config_call: 'claude --model opus' } })
    expect(text(around({ own: called, between: [title('npm exec claude --model opus')] }))).toBeNull()
    expect(text(around({ between: [title('npm exec claude --model haiku')] }))).toBeNull()
    expect(text(around({ between: [title('npm run agent')] }))).toBeNull()
  })
})

describe('a text for a shell', () => {
  const between = (line: string, ...more: string[]) => [process(['sh', '-c', line, ...more])]

  it.each(['claude --model opus', 'exec claude --model opus', '/opt/bin/claude  --model opus'])(
    'that is only the agent is written anew: %s',
    (line) => {
      const again = line.replace(/ +--model opus$/, ` --resume ${ID} --model opus`)
      expect(resumed(around({ between: between(line) }))).toEqual(['sh', '-c', again])
    },
  )

  it.each([
    ...[
      'cd x && jail claude --model opus',
      'claude --model opus; true',
      'FOO=1 claude --model opus',
      'claude --model $M',
      "claude --model 'opus'",
    ],
    ...[
      'claude "$@"',
      'jail claude --model opus',
      'claude --model haiku',
      '"$0" "$@"',
      'claude --model opus &',
      '~/bin/claude --model opus',
    ],
  ])('that is more is not edited: %s', (line) => {
    expect(resumed(around({ between: between(line) }))).toBeNull()
    expect(resumed(around({ between: between(line, 'claude', '--model', 'opus') }))).toBeNull()
  })

  it('stands before the words of script(1)', () => {
    const script = process(['script', '-q', '-c', 'claude --model opus', '/dev/null'])
    expect(resumed(around({ between: [script] }))).toEqual(['script', '-q', '-c', `claude --resume ${ID} --model opus`, '/dev/null'])
    // That of another program behind them is not theirs.
    const other = process('script -q /dev/null nix develop -c claude --model opus')
    expect(text(around({ between: [other] }))).toBe(`script -q /dev/null nix develop -c claude --resume ${ID} --model opus`)
  })
})

describe('a wrapper that cannot be built again', () => {
  it.each(['make agent', '/bin/sh ./start-agent', 'claude-jailed --model opus', 'jail claude --model haiku', 'ranger', 'npx -p'])(
    'is named, and nothing is guessed: %s',
    (line) => {
      expect(wrapperAround(around({ between: [process(line)] }))).toMatchObject({ kind: 'unsure', ran: line })
      expect(wrapperAround(around({ started: { argv: words(line), cwd: '/' } }))).toMatchObject({ kind: 'unsure', ran: line })
    },
  )

  it('has a shell inside of it, in which the agent was typed', () => {
    for (const line of ['aws-vault exec prod', 'bwrap --bind / / bash', 'nix develop'])
      expect(whyOf(wrapperAround(around({ between: [process(line), process('bash')] })))).toMatch(/shell inside/)
    expect(whyOf(wrapperAround(around({ started: { argv: ['nix', 'develop'], cwd: '/' } })))).toMatch(/shell inside/)
  })

  it('has become the agent, and shows only in its namespaces, its rights or the variables of a tool', () => {
    const confined = process('claude', { confined: { places: ['net namespace'], rights: [] } })
    expect(whyOf(wrapperAround(around({ own: confined })))).toMatch(/net namespace/)
    const fewer = process('claude', { confined: { places: [], rights: ['NoNewPrivs'] } })
    expect(whyOf(wrapperAround(around({ own: fewer })))).toMatch(/NoNewPrivs/)
    const vault = process('claude', { env: { AWS_VAULT: 'prod' } })
    expect(wrapperAround(around({ own: vault }))).toMatchObject({ why: expect.stringMatching(/aws-vault/), ran: 'claude' })
    expect(JSON.stringify(wrapperAround(around({ own: vault })))).not.toContain('prod')
    // The terminal itself has it, or a hook of the user's shell makes it anew: a resume has it too.
    expect(wrapperAround(around({ own: vault, above: [process('bash', { env: { AWS_VAULT: 'prod' } })] }))).toEqual({ kind: 'none' })
    const direnv = process('claude', { env: { IN_NIX_SHELL: 'impure', DIRENV_DIR: '-/work' } })
    expect(wrapperAround(around({ own: direnv }))).toEqual({ kind: 'none' })
  })

  it('stood above the one that is seen', () => {
    const line = 'npx claude --model opus'
    const hidden = (confined: Above['confined']) => whyOf(wrapperAround(around({ between: [process(line, { confined })] })))
    expect(hidden({ places: ['net namespace'], rights: [] })).toMatch(/cannot be seen/)
    expect(hidden({ places: [], rights: ['CapBnd'] })).toMatch(/cannot be seen/)
    // A sandbox gives up rights of its own: that is no trace of another.
    const bwrap = process('bwrap -- claude --model opus', { confined: { places: [], rights: ['NoNewPrivs'] } })
    expect(wrapperAround(around({ between: [bwrap] })).kind).toBe('line')
  })

  it('is on a system that does not tell words apart; those that the terminal was made with are known there too', () => {
    const line = 'jail claude --model opus'
    expect(whyOf(wrapperAround(around({ between: [process(line)], hasWords: false })))).toMatch(/words/)
    expect(wrapperAround(around({ started: { argv: words(line), cwd: '/work' }, above: [], hasWords: false })).kind).toBe('line')
  })

  it('holds no secret in what is shown of it', () => {
    const wrapper = wrapperAround(around({ between: [process('vault-run --token hunter2hunter2 start')] }))
    expect(JSON.stringify(wrapper)).not.toContain('hunter2')
  })

  it('is that of an agent that writes over its own words', () => {
    expect(text(around({ agent: 'pi', own: process(['pi', '', '']), between: [process('jail pi --model x')] }))).toBeNull()
  })
})

describe('an agent that was resumed', () => {
  const login = loginStart({ shell: '/bin/bash', argv: ['x'], cwd: '/', env: {}, path: '', trialEnds: 0 })
  const line = login?.args.at(-1) ?? ''
  // What the line leaves behind when the shells have replaced themselves.
  const root = process(['/bin/sh', '-c', line.slice(line.indexOf("'") + 1, -1)])

  it('has the wrapper that it was started with, also if that has become the agent', () => {
    const kept: Wrapper = { kind: 'line', before: ['env', 'A=1', 'claude'] }
    const started = { argv: [login?.command ?? '', ...(login?.args ?? [])], cwd: '/' }
    expect(wrapperAround(around({ started, above: [root], kept }))).toEqual(kept)
    const confined = process('claude', { confined: { places: ['net namespace'], rights: [] } })
    expect(wrapperAround(around({ started, above: [root], kept: { kind: 'none' }, own: confined }))).toEqual({ kind: 'none' })
    // Of one that was kept without, only what is seen counts.
    expect(wrapperAround(around({ started, above: [root], own: confined })).kind).toBe('unsure')
    // Started by hand afterwards, in the shell that is left then, it is another one.
    expect(wrapperAround(around({ started, kept }))).toEqual({ kind: 'none' })
  })
})
