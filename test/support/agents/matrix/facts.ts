/** What Holdfast relies on in a version of an agent and its makers never promised: flags, files, the look of its questions, how it ends. */
import { readdirSync } from 'node:fs'
import { runProgram } from '../../holdfast.ts'
import type { AgentBench } from '../agentBench.ts'
import { HABITS } from '../agentHabits.ts'
import type { AgentName } from '../installAgents.ts'

export type Facts = {
  readonly agent: AgentName
  readonly version: string
  readonly flags: readonly string[]
  /** Files that it has written in its HOME after one turn, without what differs each time. */
  readonly files: readonly string[]
  /** The lines with which it asks whether it may run a command. */
  readonly prompt: readonly string[]
  /** What it leaves on the screen when it is quit. */
  readonly exit: readonly string[]
}

const LEAST_WORDS = 3 // letters; a frame or a spinner is none

export async function factsOf(agent: AgentName, version: string, bench: AgentBench, bin: string): Promise<Facts> {
  const { always, asking } = HABITS[agent]
  const before = new Set(filesIn(bench.user.path))
  const help = await runProgram(bin, ['--help'], { env: { ...bench.user.env }, timeoutMs: 30_000 })
  const terminal = await bench.start(agent, { name: 'one', by: 'shell', args: [...always, ...(asking?.args ?? [])] })
  await terminal.turn('ONE')
  let prompt: readonly string[] = []
  if (asking !== null) {
    const known = new Set(linesOf(await terminal.screen(), bench.user.path))
    await terminal.prompt('TWO', ' ASK:touch asked-for')
    await terminal.shows(asking.shows)
    prompt = linesOf(await terminal.screen(), bench.user.path).filter((line) => !known.has(line) && !line.includes('MARK-'))
    await terminal.refuse(asking.refuse)
  }
  const files = filesIn(bench.user.path).filter((name) => !before.has(name))
  await terminal.quit()
  const exit = linesOf(await terminal.screen(), bench.user.path).slice(-EXIT_LINES)
  return {
    agent,
    version,
    flags: flagsIn(`${help.stdout}\n${help.stderr}`),
    files: unique(files.map((name) => plain(name, bench.user.path))),
    prompt: unique(prompt),
    exit,
  }
}

const EXIT_LINES = 12

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted()

const flagsIn = (help: string): string[] => unique([...help.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([flag]) => flag))

const filesIn = (home: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(home.length + 1))
    .filter((name) => !/^(tmp|\.cache|project)\//.test(name))

const linesOf = (screen: string, home: string): string[] =>
  screen
    .split('\n')
    .map((line) => plain(line, home))
    .filter((line) => (line.match(/\p{L}/gu)?.length ?? 0) >= LEAST_WORDS)

/** Without frames and without what is different in each run: directories, ids, times and numbers. */
const plain = (text: string, home: string): string =>
  text
    .replaceAll(home, '~')
    .replaceAll(home.replace(/[^A-Za-z0-9]/g, '-'), '~')
    .replace(/[^\p{L}\p{N}\p{P}$<>~ ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<uuid>')
    .replace(/ses_\w+/g, '<id>')
    .replace(/\b(?=\w*\d)[0-9A-Za-z_]{12,}\b/g, '<id>')
    .replace(/\d+([.:-]\d+)*/g, '<n>')
