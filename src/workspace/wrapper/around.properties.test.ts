import fc from 'fast-check'
import { expect, it } from 'vitest'
import { argsOf, carriedFlags, resumeArgv } from '../../agents/argv.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import { argvFor } from '../terminal/resume.ts'
import type { Spec } from '../terminal/terminal.ts'
import { type Above, wrapperAround } from './around.ts'

/** Any chain of wrappers around any agent with any flags: resumed with all of them and nothing else changed, or not at all. */
const RESUMABLE = AGENTS.filter(({ resume }) => resume !== null)
const IDS = ['0198f7c1-9c1e-4f50-b111-0c2b7e1a2d01', 'ses_0123456789abcdef', '1762000000000_abcde']
const FREE = { places: [], rights: [] } as const

const odd = fc.constantFrom('a b', "it's", '$HOME', '', '--', '-', '*', 'ü', 'x;y', '\\', '"', 'a=b', '/p/claude')
const word = fc.oneof({ weight: 3, arbitrary: fc.stringMatching(/^[a-z0-9./=-]{1,8}$/) }, { weight: 1, arbitrary: odd })
const wrapperWords = fc.oneof(
  fc.constantFrom(
    ['bwrap', '--ro-bind', '/', '/', '--'],
    ['jail'],
    ['env', 'A=1'],
    ['/bin/sh', '/opt/jail'],
    ['op', 'run', '--'],
    ['sudo', '-u', 'x'],
  ),
  fc.constantFrom(['docker', 'run', '-it', 'image'], ['nix', 'develop', '-c'], ['nice', '-n', '5'], ['script', '-q', '/dev/null']),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => ['wrap', ...words]),
)

const chain = fc.record({
  agentId: fc.constantFrom(...RESUMABLE.map(({ id }) => id)),
  id: fc.constantFrom(...IDS),
  flags: fc.array(
    fc.oneof(word, fc.constantFrom('--model', '--verbose', '-c', '--resume', '--sandbox', '--dangerously-skip-permissions')),
    { maxLength: 5 },
  ),
  wrappers: fc.array(wrapperWords, { minLength: 1, maxLength: 3 }),
  // How the outermost one hands the agent on: as words, as a text, with another word, without one, or not to be told.
  form: fc.constantFrom('words', 'words', 'text', 'exec', 'adds', 'drops', 'otherwise'),
  isTerminals: fc.boolean(),
})

it('a resume has every word of the wrapper in order and the agent’s arguments, or there is none', () => {
  let built = 0
  fc.assert(
    fc.property(chain, ({ agentId, id, flags, wrappers, form, isTerminals }) => {
      const agent = RESUMABLE.find((one) => one.id === agentId)!
      const own = [agent.id, ...flags, ...(form === 'adds' ? ['--added'] : [])]
      const direct = resumeArgv(agent, { argv: own, id })
      fc.pre(direct !== null)
      const given = [agent.id, ...flags, ...(form === 'drops' ? ['--dropped'] : [])]
      const lines = wrappers.map((_, at) => [...wrappers.slice(at).flat(), ...given])
      const before = wrappers.flat()
      if (form === 'text' || form === 'exec') lines.unshift(['sh', '-c', `${form === 'exec' ? 'exec ' : ''}${own.join(' ')}`])
      if (form === 'otherwise') lines.unshift(['start', 'it'])
      const [outermost = []] = lines
      const sight = (argv: readonly string[]): Above => ({ argv, cwd: '/w', env: {}, confined: FREE })
      const wrapper = wrapperAround({
        agent,
        own: sight(own),
        started: { argv: isTerminals ? outermost : ['bash'], cwd: '/w' },
        above: isTerminals ? lines.map(sight) : [sight(['bash']), ...lines.map(sight)],
        hasWords: true,
        kept: null,
      })
      expect(wrapper.kind).not.toBe('none') // there is one
      const spec: Spec = { command: 'bash', args: [], cwd: '/w', env: {}, size: { cols: 80, rows: 24 } }
      const restore = { kind: 'conversation', agent: agent.id, id, provenance: 'hook', argv: direct, wrapper } as const
      const argv = argvFor({ spec, restore }, 'resume', { table: {}, agents: AGENTS, shell: 'bash' })
      if (argv.unsure !== undefined) return
      built += 1
      const line = [argv.command, ...argv.args]
      const args = argsOf(agent, direct)
      expect(['words', 'text', 'exec']).toContain(form)
      if (form === 'words') expect(line).toEqual([...before, agent.id, ...args])
      else expect(line).toEqual(['sh', '-c', [...(form === 'exec' ? ['exec'] : []), agent.id, ...args].join(' ')])
      // What the agent is given differs from before only by what chooses the conversation.
      expect(args).toEqual([...(agent.resume?.(id) ?? []), ...carriedFlags(agent, own)])
    }),
    { numRuns: 3_000 },
  )
  expect(built).toBeGreaterThan(300) // it is not refused altogether
})
