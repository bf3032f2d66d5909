import { appendFileSync } from 'node:fs'
import process from 'node:process'
import { describe, type TestContext, test } from 'vitest'
import { AgentBench } from '../agentBench.ts'
import { HABITS } from '../agentHabits.ts'
import { AGENT_NAMES, type AgentName, installAgent, versionOf } from '../installAgents.ts'
import { INSTALL_TIMEOUT_MS } from '../realAgents.ts'
import { type Cell, STORY_IDS, type StoryId } from './cell.ts'
import type { CellResult } from './results.ts'
import { STORIES } from './stories.ts'

const CELL_MS = 60_000
/** On a machine that has other work too, a multiple of that. */
const patience = Number(process.env['AGENTS_PATIENCE'] ?? '1')

const chosen = <Name extends string>(variable: string, all: readonly Name[]): readonly Name[] => {
  const names = process.env[variable]?.split(',').filter((name) => name !== '') ?? []
  const unknown = names.filter((name) => !all.includes(name as Name))
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return names.length === 0 ? all : all.filter((name) => names.includes(name))
}

/** One test for each cell, two at a time. What a cell gives is printed, and written to the file of the results if there is one. */
export function matrixOf(): void {
  for (const agent of chosen('AGENTS_ONLY', AGENT_NAMES))
    describe.concurrent(agent, () => {
      for (const story of chosen('AGENTS_STORIES', STORY_IDS)) testCell(agent, story)
    })
}

export function testCell(agent: AgentName, story: StoryId): void {
  test(`${agent}: ${STORIES[story].title}`, { timeout: INSTALL_TIMEOUT_MS }, (context) => tell(agent, story, context))
}

async function tell(agent: AgentName, story: StoryId, context: Pick<TestContext, 'skip'>): Promise<void> {
  const reason = HABITS[agent].impossible?.[story]
  if (reason !== undefined) {
    record({ agent, story, result: 'impossible', note: reason, seconds: 0 })
    return
  }
  const installed = await installAgent(agent)
  if (!installed.ok) {
    record({ agent, story, result: 'skipped', note: installed.reason, seconds: 0 })
    return context.skip(installed.reason)
  }
  const begun = performance.now()
  const notes: string[] = []
  const seconds = () => Math.round((performance.now() - begun) / 1_000)
  try {
    await inCell(agent, story, { bin: installed.bin, notes })
    record({ agent, story, result: 'pass', note: notes.join('; '), seconds: seconds() })
  } catch (error) {
    record({ agent, story, result: 'fail', note: error instanceof Error ? error.message : String(error), seconds: seconds() })
    throw error
  }
}

async function inCell(agent: AgentName, story: StoryId, { bin, notes }: { bin: string; notes: string[] }): Promise<void> {
  await using bench = await AgentBench.make([bin], ['project', 'other'])
  const habits = HABITS[agent]
  const cell: Cell = {
    agent,
    habits,
    bench,
    start: (how) => bench.start(agent, { ...how, args: [...habits.always, ...(how.args ?? [])] }),
    note: (text) => notes.push(text),
  }
  await within(CELL_MS * patience, () => STORIES[story].run(cell))
}

/** A story that is not over by then fails; what it still wants of its bench is refused. */
async function within(limitMs: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`the story was not over after ${limitMs / 1_000} s`)), limitMs)
  })
  try {
    await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

function record(result: Omit<CellResult, 'version'>): void {
  const whole: CellResult = { ...result, version: versionOf(result.agent) }
  const note = result.note === '' ? '' : ` (${result.note.split('\n')[0]})`
  process.stderr.write(`• ${result.agent}, ${STORIES[result.story].title}: ${result.result}, ${result.seconds} s${note}\n`)
  const path = process.env['AGENTS_RESULTS']
  if (path !== undefined && path !== '') appendFileSync(path, `${JSON.stringify(whole)}\n`)
}
