import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { until } from '../../milestone.ts'
import type { AgentTerminal } from '../agentTerminal.ts'
import type { Cell } from './cell.ts'

const SEEN_MS = 15_000

async function isSeen(terminal: AgentTerminal, moment: string, states: readonly string[]): Promise<void> {
  const shown = async () => (await terminal.row()).agent?.state ?? 'no agent'
  const what = `${terminal.agent} ${moment} to be seen as ${states.join(' or ')}`
  await until(async () => states.includes(await shown()), { what, timeoutMs: SEEN_MS }).catch(async (error: Error) => {
    throw new Error(`${error.message}; it is seen as ${await shown()}\n${await terminal.screen()}`)
  })
}

/** At each moment of its life Holdfast must know what it is at: it is idle, works, asks, has answered. */
export async function showsStates(cell: Cell): Promise<void> {
  const { asking } = cell.habits
  const terminal = await cell.start({ name: 'one', by: 'shell', args: asking?.args ?? [] })
  await isSeen(terminal, 'before its first prompt', ['idle', 'done'])
  await terminal.turn('ONE')
  await isSeen(terminal, 'that has answered', ['done', 'idle'])
  expect((await terminal.row()).agent).toMatchObject({ name: cell.agent })
  await terminal.prompt('TWO', ' SLOW')
  await isSeen(terminal, 'that answers', ['working'])
  const refused = await cell.bench.hf('sleep', 'one')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/is working/)
  await terminal.shows('SLOW-END')
  await isSeen(terminal, 'that has answered again', ['done', 'idle'])
  if (asking === null) return await neverAsks(cell, terminal)
  await terminal.prompt('THREE', ' ASK:touch asked-for')
  await terminal.shows(asking.shows)
  await terminal.done('wait', 'one', '--agent', 'needs-you', '--timeout', '20')
  expect((await cell.bench.hf('sleep', '--all')).stdout).toContain('is waiting for your answer')
  expect(await terminal.row()).toMatchObject({ state: 'live', agent: { state: 'needs-you' } })
  expect(existsSync(join(cell.bench.project, 'asked-for'))).toBe(false)
  await isAllowed(terminal)
  await terminal.shows('REPLY\\s+users=3')
  expect(existsSync(join(cell.bench.project, 'asked-for'))).toBe(true)
  await isSeen(terminal, 'that was allowed to and has answered', ['done', 'idle'])
}

async function neverAsks({ bench, note }: Cell, terminal: AgentTerminal): Promise<void> {
  await terminal.turn('THREE', ' ASK:touch asked-for')
  expect(existsSync(join(bench.project, 'asked-for'))).toBe(true)
  note('it runs each command without asking, so that it never needs you')
}

const ANSWERS = 5
const ANSWER_MS = 5_000

/** A question takes no answer for a moment after it appears; codex shows none while keys come. So it is answered only now and then. */
async function isAllowed(terminal: AgentTerminal): Promise<void> {
  const isTaken = async () => (await terminal.row()).agent?.state !== 'needs-you'
  for (let pressed = 1; ; pressed++) {
    await terminal.allow()
    const failed = await until(isTaken, { what: 'the answer to be taken', timeoutMs: ANSWER_MS }).catch((error: Error) => error)
    if (!(failed instanceof Error)) return
    if (pressed === ANSWERS) throw new Error(`${failed.message}\n${await terminal.screen()}`)
  }
}
