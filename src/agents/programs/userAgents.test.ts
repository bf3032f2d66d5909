import { describe, expect, test } from 'vitest'
import type { Agent } from '../agent.ts'
import { carriedFlags, doubtOf, resumeArgv } from '../argv.ts'
import { recognise } from '../recognise.ts'
import { hintIn } from '../shown.ts'
import { AGENTS, agentNamed } from './all.ts'
import { isUserAgent, parseUserAgents } from './userAgents.ts'

const known = { agents: AGENTS, isKey: (name: string) => /^(C-.|Enter|.)$/.test(name) }
const parsed = (raw: unknown) => parseUserAgents(raw, known)
const agents = (raw: unknown): readonly Agent[] => {
  const all = parsed(raw)
  if (!all.ok) throw new Error(JSON.stringify(all.problems))
  return all.agents
}

const MINE = {
  label: 'Mine',
  recognise: ['mine', '/my-agent/dist/'],
  resume: ['go-on', '--id={id}'],
  latest: ['--last'],
  id_pattern: '[a-z]+-\\d+',
  exit_hint: 'Go on with: mine go-on {id}.',
  quit_keys: 'C-c C-d',
  carry: ['--loud', '--model VALUE', '--dirs VALUES...'],
  drop: ['--say VALUE'],
  config_env: ['MINE_HOME'],
}

describe('an agent that the user describes', () => {
  const mine = agentNamed(agents({ mine: MINE }), 'mine')!

  test('is recognised by its name or its path', () => {
    const seen = (argv: readonly string[]) => {
      const process = { pid: 1, start: '1', parent: 0, group: 1, session: '1', name: 'node', executable: null, argv }
      return recognise([process], 1, 1, agents({ mine: MINE }))?.agent.id ?? null
    }
    expect(seen(['mine', 'hello'])).toBe('mine')
    expect(seen(['node', '/x/my-agent/dist/cli.js'])).toBe('mine')
    expect(seen(['node', '/x/other.js'])).toBeNull()
  })

  test('is resumed with its own words and the flags that it carries', () => {
    const argv = ['mine', '--loud', '--model', 'x', '--dirs', 'a', 'b', '--unknown']
    const resumed = ['mine', 'go-on', '--id=abc-7', '--loud', '--model', 'x', '--dirs', 'a', 'b', '--unknown']
    expect(resumeArgv(mine, { argv: [...argv.slice(0, 4), 'a prompt', ...argv.slice(4)], id: 'abc-7' })).toEqual(resumed)
    expect(resumeArgv(mine, { argv: [...resumed, '--last', '--say', 'hello'], id: 'abc-7' })).toEqual(resumed)
    expect(doubtOf(mine, argv, { hasWords: true })).toBeNull()
    expect(doubtOf(mine, [...argv, 'a prompt'], { hasWords: true })).toMatch(/"a prompt" may be the value of --unknown/)
    expect(mine).toMatchObject({ latest: ['--last'], quit: { kind: 'keys', keys: ['C-c', 'C-d'] }, configEnv: ['MINE_HOME'] })
  })

  test('says its conversation on leaving, in the words that were told', () => {
    expect(hintIn(mine, 'bye\nGo on with:\n  mine go-on abc-7.\n$')).toBe('abc-7')
    expect(hintIn(mine, 'Go on with: mine go-on ABC.')).toBeNull()
  })

  test.each(['--help', '-x', 'a b', '', '../a', 'abc-7\n', `a-${'1'.repeat(200)}`])(
    'has no conversation %j, whatever its pattern allows',
    (id) => {
      const lax = agentNamed(agents({ lax: { resume: ['{id}'], id_pattern: '[^]+' } }), 'lax')!
      expect(resumeArgv(lax, { argv: ['lax'], id })).toBeNull()
    },
  )

  test('needs no more than a name', () => {
    expect(agentNamed(agents({ bare: {} }), 'bare')).toMatchObject({ label: 'bare', recognise: { names: ['bare'] }, resume: null })
  })

  test('comes before those that are known, and in the place of one of the same name', () => {
    const all = agents({ claude: { latest: ['--newest'], quit_signal: 'SIGHUP' } })
    const claude = agentNamed(AGENTS, 'claude')!
    expect(all.map(({ id }) => id).toSorted()).toEqual(AGENTS.map(({ id }) => id).toSorted())
    expect(all[0]).toMatchObject({ id: 'claude', latest: ['--newest'], quit: { kind: 'signal', signal: 'SIGHUP' } })
    expect(all[0]).toMatchObject({ label: claude.label, recognise: claude.recognise, findings: claude.findings })
    expect(carriedFlags(all[0]!, ['claude', '--newest', '--model', 'x'])).toEqual(['--model', 'x'])
    expect(all.filter(isUserAgent)).toHaveLength(1)
  })
})

describe('what is wrong with it', () => {
  test.each([
    [7, [], 'is a section'],
    [{ 'my agent': {} }, ['my agent'], 'not a valid agent name'],
    [{ a: 7 }, ['a'], 'is a section'],
    [{ a: { resumes: [] } }, ['a', 'resumes'], 'is not known; an agent has label, recognise'],
    [{ a: { label: 'x\u001b' } }, ['a', 'label'], 'must be a text'],
    [{ a: { recognise: ['x y'] } }, ['a', 'recognise'], 'must be a list of names'],
    [{ a: { resume: ['--resume'] } }, ['a', 'resume'], 'must have {id}'],
    [{ a: { resume: '--resume {id}' } }, ['a', 'resume'], 'must be a list of arguments'],
    [{ a: { latest: [7] } }, ['a', 'latest'], 'must be a list of arguments'],
    [{ a: { id_pattern: '(' } }, ['a', 'id_pattern'], 'must be a regular expression'],
    [{ a: { id_pattern: '(\\w+)+' } }, ['a', 'id_pattern'], 'must be simpler: at most three repetitions'],
    [{ a: { id_pattern: 'x*' } }, ['a', 'id_pattern'], 'must not match an empty id'],
    [{ a: { exit_hint: 'bye' } }, ['a', 'exit_hint'], 'must be a text with {id}'],
    [{ a: { quit_keys: 'C-c Hyper' } }, ['a', 'quit_keys'], 'must be one to four keys'],
    [{ a: { quit_signal: 'SIGKILL' } }, ['a', 'quit_signal'], 'must be "SIGINT"'],
    [{ a: { quit_signal: 'SIGINT', quit_keys: 'C-c' } }, ['a', 'quit_signal'], 'excludes quit_keys'],
    [{ a: { carry: ['prompt'] } }, ['a', 'carry'], 'must be a list of flags'],
    [{ a: { drop: [7] } }, ['a', 'drop'], 'must be a list of flags'],
    [{ a: { config_env: ['A-B'] } }, ['a', 'config_env'], 'must be a list of names'],
  ])('%j is named', (raw, path, why) => {
    expect(parsed(raw)).toEqual({ ok: false, problems: [{ path, why: expect.stringContaining(why) }] })
  })

  test('is named all at once', () => {
    expect(parsed({ a: { label: 7, latest: 7 }, b: 7 })).toMatchObject({
      problems: [{ path: ['a', 'label'] }, { path: ['a', 'latest'] }, { path: ['b'] }],
    })
  })
})
