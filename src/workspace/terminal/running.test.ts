import { expect, test } from 'vitest'
import { COMES_WITH_IT_MS, type RunningProcess, runningIn } from './running.ts'

const START = 1_000_000
const process = (pid: number, parent: number, argv: readonly string[], more: Partial<RunningProcess> = {}): RunningProcess => ({
  ...{ pid, parent, argv, session: 's', name: argv[0] ?? '', startedAt: START },
  ...more,
})
const later = { startedAt: START + COMES_WITH_IT_MS + 1 }
const shell = process(10, 1, ['-zsh'])
const agent = process(20, 10, ['claude'])

const named = (processes: readonly RunningProcess[], pids: readonly number[] = []): readonly string[] =>
  runningIn({ processes, root: 10, agent: pids })

test('a shell at its prompt runs nothing, nor does one within it', () => {
  expect(named([shell])).toEqual([])
  expect(named([shell, process(11, 10, ['bash']), process(12, 11, ['/usr/bin/fish', '-l'])])).toEqual([])
})

test('what a shell has started runs in it, in front or behind, whoever its parent is by now', () => {
  expect(named([shell, process(11, 10, ['/usr/bin/node', '/app/server.mjs'])])).toEqual(['server.mjs'])
  expect(named([shell, process(11, 1, ['sleep', '1000'])])).toEqual(['sleep'])
  expect(named([shell, process(11, 10, ['bash', './deploy.sh'])])).toEqual(['deploy.sh'])
})

test('of a tree only its top is named, and each name once', () => {
  const tree = [process(11, 10, ['npm run dev']), process(12, 11, ['sh', '-c', 'vite']), process(13, 12, ['node', 'vite.js'])]
  expect(named([shell, ...tree])).toEqual(['npm'])
  expect(named([shell, process(11, 10, ['vim']), process(12, 10, ['vim'])])).toEqual(['vim'])
})

test('what has a session of its own goes on without the terminal, and helpers of prompts are the shell’s own', () => {
  expect(named([shell, process(11, 10, ['ssh-agent'], { session: 'own' })])).toEqual([])
  expect(named([shell, process(11, 10, ['/opt/gitstatusd-linux-x86_64'])])).toEqual([])
})

test('an agent, what wraps it and the servers that came with it are no programs of their own', () => {
  const wrapped = [
    process(15, 10, ['npm exec claude']),
    { ...agent, parent: 15 },
    process(21, 20, ['node', '/mcp/server.js'], { session: 'x' }),
  ]
  expect(named([shell, ...wrapped], [20])).toEqual([])
})

test('what an agent has started since runs in it, in a session of its own too', () => {
  const dev = process(22, 20, ['bash', '-c', 'npm run dev'], { ...later, session: 'own' })
  expect(named([shell, agent, dev, process(23, 22, ['npm run dev'], later)], [20])).toEqual(['bash'])
})

test('beside an agent, what its shell runs behind it counts whenever it began', () => {
  expect(named([shell, agent, process(30, 10, ['tail', '-f', 'log'])], [20])).toEqual(['tail'])
})

test('children of any other program are its own if they came with it', () => {
  const program = process(10, 1, ['npm run dev'])
  expect(named([program, process(11, 10, ['node', 'vite.js'])])).toEqual([])
  expect(named([program, process(11, 10, ['psql'], later)])).toEqual(['psql'])
})

test('a circle of parents ends', () => {
  expect(named([shell, process(11, 12, ['a']), process(12, 11, ['b'])])).toEqual([])
  expect(named([{ ...shell, parent: 10 }, process(11, 10, ['a'])])).toEqual(['a'])
})
