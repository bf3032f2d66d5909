import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { AGENT_NAMES, PACKAGES } from '../installAgents.ts'
import { STORY_IDS } from './cell.ts'
import type { CellResult } from './results.ts'
import { BEGIN, END, keyOf, readTable, withResults, writeTable } from './table.ts'

const DOCS = fileURLToPath(new URL('../../../../docs/agents.md', import.meta.url))
const EMPTY = `before\n${BEGIN}\n${END}\nafter\n`
const page = (): string => readFileSync(DOCS, 'utf8')

const written = process.env['AGENTS_WRITE']
if (written !== undefined && written !== '') {
  const lines = readFileSync(written, 'utf8').trim().split('\n')
  const results = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as CellResult)
  const today = new Date().toISOString().slice(0, 10)
  if (results.length > 0) writeFileSync(DOCS, writeTable(page(), withResults(readTable(page()), results, today)))
}

const cell = (more: Partial<CellResult>): CellResult => ({
  ...{ agent: 'pi', story: 'crash', version: '0.73.1', result: 'pass', note: '', seconds: 3 },
  ...more,
})

test('every cell of the table in docs/agents.md passes, or says why it is impossible', () => {
  const { versions, cells } = readTable(page())
  for (const [agent, version] of versions) expect([agent, version]).toEqual([agent, PACKAGES[agent].version])
  const wrong = AGENT_NAMES.flatMap((agent) =>
    STORY_IDS.map((story) => ({ key: keyOf(agent, story), cell: cells.get(keyOf(agent, story)) })),
  )
    .filter(({ cell: shown }) => shown?.result !== 'pass' && !(shown?.result === 'impossible' && shown.note !== ''))
    .map(({ key, cell: shown }) => `${key}: ${shown?.result}`)
  expect(wrong).toEqual([])
})

test('what is written is read again, with its remarks', () => {
  const results = [
    cell({}),
    cell({ story: 'states', note: 'it never asks' }),
    cell({ agent: 'cline', result: 'impossible', note: 'because: of this' }),
    cell({ agent: 'kilo', result: 'fail', note: 'expected one\nbut was two' }),
  ]
  const text = writeTable(EMPTY, withResults(readTable(EMPTY), results, '2026-01-02'))
  expect(text.startsWith('before\n')).toBe(true)
  expect(text.endsWith('after\n')).toBe(true)
  const { cells, date, versions } = readTable(text)
  expect(date).toBe('2026-01-02')
  expect(versions.get('pi')).toBe('0.73.1')
  expect(cells.get('pi crash')).toEqual({ result: 'pass', note: '' })
  expect(cells.get('pi states')).toEqual({ result: 'pass', note: 'it never asks' })
  expect(cells.get('cline crash')).toEqual({ result: 'impossible', note: 'because: of this' })
  expect(cells.get('kilo crash')).toEqual({ result: 'fail', note: 'expected one' })
})

test('a run of one cell leaves the others as they were', () => {
  const first = withResults(readTable(EMPTY), [cell({}), cell({ agent: 'kilo', result: 'fail', note: 'x' })], '2026-01-02')
  const { cells, date } = withResults(first, [cell({ agent: 'kilo' })], '2026-01-03')
  expect(date).toBe('2026-01-03')
  expect([...cells.values()].map(({ result }) => result)).toEqual(['pass', 'pass'])
})

test('an agent that could not be installed changes nothing in the table', () => {
  expect(withResults(readTable(EMPTY), [cell({ result: 'skipped', note: 'no network' })], '2026-01-02').cells.size).toBe(0)
})
