/** What a resume carries of a command line: every flag but those that choose a conversation or send a prompt, or a doubt. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Agent } from './agent.ts'
import { carriedFlags, doubtOf, isTyped } from './argv.ts'
import { AGENTS, agentNamed } from './programs/all.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d3e'
const agent = (id: string): Agent => agentNamed(AGENTS, id)!
/** `''` is an empty word, `_` stands for a blank inside of one. */
const words = (line: string) =>
  line === '' ? [] : line.split(' ').map((word) => (word === "''" ? '' : word.replaceAll('_', ' ').replaceAll('§', '_')))

const doubt = (id: string, line: string, hasWords = true) => doubtOf(agent(id), words(line), { hasWords })

describe('is carried, in order and as it was typed', () => {
  test.each([
    ['claude', 'claude fix_the_bug', ''],
    ['claude', 'claude --model opus fix_it', '--model opus'],
    ['claude', 'claude --model=opus --session-id x --verbose go', '--model=opus --verbose'],
    ['claude', `claude --resume ${ID} --permission-mode plan`, '--permission-mode plan'],
    ['claude', 'claude --resume --permission-mode plan', '--permission-mode plan'],
    ['claude', `claude --resume ${ID} -c --fork-session`, ''],
    ['claude', 'claude --add-dir ../a ../b --settings s.json', '--add-dir ../a ../b --settings s.json'],
    ['claude', "claude --tools '' --restricted", "--tools '' --restricted"],
    ['claude', 'claude --name --dangerously-skip-permissions', ''],
    ['claude', 'claude --append-system-prompt --dangerously-skip-permissions', '--append-system-prompt --dangerously-skip-permissions'],
    ['claude', 'claude -- --dangerously-skip-permissions', ''],
    ['claude', 'claude --disallowedTools Bash(git_*) Edit -- go', '--disallowedTools Bash(git_*) Edit'],
    ['claude', 'claude --chrome --no-chrome --chrome', '--chrome --no-chrome --chrome'],
    ['claude', 'claude --new-flag --verbose go', '--new-flag --verbose'],
    ['claude', 'claude --new-flag=value --new-flag', '--new-flag=value --new-flag'],
    ['claude', 'claude -dapi --worktree feature --tmux=classic', '-dapi'],
    ['claude', 'claude --setting-sources user --strict-mcp-config --safe-mode', '--setting-sources user --strict-mcp-config --safe-mode'],
    ['codex', `codex resume ${ID} --no-daemon -c a=b -mo3 hello`, '--no-daemon -c a=b -mo3'],
    ['codex', `codex -s read-only resume --last -a on-request`, '-s read-only -a on-request'],
    ['codex', 'codex fork --all --strict-config', '--strict-config'],
    ['codex', 'node /x/.bin/codex -s read-only -i a.png b.png look', '-s read-only'],
    ['codex', 'codex --disable web --disable mcp -Csub --worktree', '--disable web --disable mcp -Csub'],
    ['gemini', 'gemini -i hello --yolo --include-directories a b -m x', '--yolo --include-directories a -m x'],
    ['gemini', 'gemini --yolo false go', '--yolo false'],
    ['gemini', 'gemini --sandbox --approvalMode plan --no-yolo false', '--sandbox --approvalMode plan --no-yolo'],
    ['gemini', 'gemini -sd --policy=a.toml --admin-policy b.toml', '-sd --policy=a.toml --admin-policy b.toml'],
    ['gemini', 'gemini --resume --extensions none -5', '--extensions none'],
    ['opencode', 'opencode ../project -s ses_123456789 --agent plan --prompt hello --pure', '--agent plan --pure'],
    ['kilo', 'kilo . --continue --fork --auto false --log-level=DEBUG --worktree x', '--auto false --log-level=DEBUG'],
    ['qwen', 'qwen --exclude-tools a b --core-tools=c d --safe-mode', '--exclude-tools a b --core-tools=c d --safe-mode'],
    ['qwen', 'qwen -i hello --append-system-prompt be_brief --max-tool-calls 3', '--append-system-prompt be_brief --max-tool-calls 3'],
    ['qwen', 'qwen --resume --approval-mode plan', '--approval-mode plan'],
    ['pi', 'pi --no-tools --no-extensions -ns @file hello', '--no-tools --no-extensions -ns'],
    ['pi', 'pi --append-system-prompt --no-tools --session-dir /d -nt', '--append-system-prompt --no-tools --session-dir /d -nt'],
    ['pi', `pi --session ${ID} --plan now --tools read,grep hello`, '--plan now --tools read,grep'],
    ['pi', 'pi --no-session', '--no-session'],
    ['copilot', `copilot --resume=${ID} --excluded-tools=a --available-tools b c`, '--excluded-tools=a --available-tools b c'],
    ['copilot', 'copilot --deny-url x.com --plan --mode plan --yolo -i go', '--deny-url x.com --plan --mode plan --yolo'],
    ['copilot', 'copilot --deny-tool shell(rm) write --name mine -C sub', '--deny-tool shell(rm) write'],
    ['cline', 'cline --auto-approve false fix_it', '--auto-approve false'],
    ['cline', 'cline --plan --thinking -P x --config c --data-dir d', '--plan --thinking -P x --config c --data-dir d'],
    ['cline', 'cline --thinking high --id 1234567890_abc -pv', '--thinking high -pv'],
  ])('%s: %s', (id, line, carried) => {
    expect(carriedFlags(agent(id), words(line))).toEqual(words(carried))
    expect(doubt(id, line)).toBeNull()
  })
})

describe('is in doubt, and asked about', () => {
  test.each([
    ['claude', 'claude --new-flag word --verbose', '"word" may be the value of --new-flag', '--verbose --new-flag'],
    ['claude', "claude --new-flag ''", 'may be the value of --new-flag', '--new-flag'],
    ['claude', `claude --new-flag --resume ${ID}`, '--new-flag is not known, and may take', '--new-flag'],
    ['claude', 'claude --new-flag -- go', '--new-flag is not known, and may take', '--new-flag'],
    ['claude', 'claude --start-prompt=go --verbose', '--start-prompt is not known, and may carry a prompt', '--verbose'],
    ['claude', 'claude --model', '--model has no value', '--model'],
    ['claude', 'claude -cd', '-cd', ''],
    ['claude', 'claude -cZ', '-cZ is not known', ''],
    ['codex', 'codex --new-flag resume', '"resume" may be the value of --new-flag', '--new-flag'],
    ['codex', 'codex -Z word', '"word" may be the value of -Z', '-Z'],
    ['gemini', 'gemini -dmi hello', '-dmi is not known', ''],
    ['pi', 'pi -- hello --no-tools', 'does not end its flags', ''],
    ['pi', 'pi --session=abc hello', '--session is not known', ''],
    ['pi', 'pi   ', 'pi has written over its command line', ''],
    ['amp', 'amp --new-flag word', '"word" may be the value', '--new-flag'],
  ])('%s: %s', (id, line, why, shown) => {
    const found = doubt(id, line)
    expect(found).toContain(why)
    expect(carriedFlags(agent(id), words(line))).toEqual(words(shown))
  })

  test.each([
    ['claude', 'claude fix the bug', true],
    ['claude', 'claude --verbose --model opus', true],
    ['claude', 'claude fix it --dangerously-skip-permissions', false],
    ['claude', 'claude --append-system-prompt be brief --dangerously-skip-permissions', false],
    ['claude', 'claude --model opus --verbose', false],
  ])('where only a text is known: %s: %s', (id, line, isSure) => {
    expect(doubt(id, line, false) === null).toBe(isSure)
  })

  test.each([
    [['pi', '', '', ''], false],
    [['pi - ~/project', '', ''], false],
    [['npm exec claude'], false],
    [['pi'], true],
    [['/Apps/My Tools/pi', '-c'], true],
    [['claude', '--tools', ''], true],
  ])('%j can have been typed: %s', (argv, expected) => expect(isTyped(argv)).toBe(expected))
})

describe('whatever was typed', () => {
  type Typed = { readonly words: readonly string[]; readonly kind: 'carried' | 'dropped' | 'prompt' }
  const value = fc.constantFrom('VALUE', 'read-only', 'a,b', 'x=y', 'has blanks', '')
  const prompt = fc.constantFrom('PROMPT', 'PROMPT it', 'PROMPT --yolo')

  /** A flag of the agent with as many values as it takes, in one of the ways to write them. */
  function flagOf(one: Agent): fc.Arbitrary<Typed> {
    const { takes, choosing, prompting, once, notConversation, grammar } = one.flags
    const usable = Object.entries(takes).filter(([name]) => !notConversation.includes(name))
    return fc.tuple(fc.constantFrom(...usable), value, value, fc.boolean()).map(([[name, kind], first, second, isJoined]) => {
      const isDropped = [...choosing, ...prompting, ...once].includes(name)
      const mark = isDropped ? 'PROMPT' : first
      const joined = isJoined && name.startsWith('--') && grammar !== 'pi' && kind !== 'none'
      const values = kind === 'none' ? [] : kind === 'many' ? [mark, second] : [mark]
      // One that reads more words behind `=` is tried with none.
      return { words: joined ? [`${name}=${mark}`] : [name, ...values], kind: isDropped ? 'dropped' : 'carried' }
    })
  }

  const line = fc.constantFrom(...AGENTS.filter(({ flags }) => flags.grammar !== 'other')).chain((one) => {
    const typed: fc.Arbitrary<Typed> = flagOf(one)
    const unknown = fc.constantFrom<Typed>(
      { words: ['--brand-new=1'], kind: 'carried' },
      { words: ['--no-dangers=PROMPT'], kind: 'carried' },
    )
    const said = fc.oneof({ weight: 6, arbitrary: typed }, { weight: 1, arbitrary: unknown })
    return fc.record({ one: fc.constant(one), flags: fc.array(said, { maxLength: 8 }), asked: prompt, isBehind: fc.boolean() })
  })

  test('no flag is lost, no prompt is carried, and what is carried reads the same again', () => {
    fc.assert(
      fc.property(line, ({ one, flags, asked, isBehind }) => {
        // A prompt first, or behind `--`: everywhere else a flag may take it.
        const isPi = one.flags.grammar === 'pi'
        const typed = flags.flatMap(({ words: some }) => some)
        const args = isBehind && !isPi ? [...typed, '--', asked] : [asked, ...typed]
        const expected = flags.flatMap(({ words: some, kind }) => (kind === 'carried' ? some : []))
        const carried = carriedFlags(one, [one.id, ...args])
        expect(carried).toEqual(expected)
        expect(doubtOf(one, [one.id, ...args], { hasWords: true })).toBeNull()
        const resumed = [one.id, ...(one.resume?.(ID) ?? []), ...carried]
        expect(carriedFlags(one, resumed)).toEqual(carried)
        expect(doubtOf(one, resumed, { hasWords: true })).toBeNull()
      }),
      { numRuns: 2_000 },
    )
  })

  test('a line of any words is carried in their order, or in doubt; and what is offered then is not', () => {
    const any = fc.constantFrom(...AGENTS).chain((one) => {
      const { takes, choosing, prompting } = one.flags
      const word = fc.oneof(fc.constantFrom('--', '-', '', 'fix', '-x', '--brand-new', '--new=1', ...Object.keys(takes)), fc.string())
      return fc.tuple(fc.constant(one), fc.array(fc.oneof(word, fc.constantFrom('go', ...choosing, ...prompting)), { maxLength: 12 }))
    })
    fc.assert(
      fc.property(any, ([one, args]) => {
        const argv = [one.id, ...args]
        const carried = carriedFlags(one, argv)
        if (doubtOf(one, argv, { hasWords: true }) === null) expect(isSubsequence(carried, args)).toBe(true)
        if (carried.length > 0) expect(carried[0]).toMatch(/^-./)
        if (args.every((word) => !word.startsWith('-'))) expect(carried).toEqual([])
        expect(carriedFlags(one, [one.id, ...carried])).toEqual(carried)
      }),
      { numRuns: 2_000 },
    )
  })
})

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const word of whole) if (word === part[at]) at += 1
  return at === part.length
}
