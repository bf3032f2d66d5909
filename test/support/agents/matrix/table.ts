/** The table of `docs/agents.md`: what each cell of the matrix gave when it was last run. */
import { AGENT_NAMES, type AgentName } from '../installAgents.ts'
import { STORY_IDS, type StoryId } from './cell.ts'
import type { CellResult } from './results.ts'
import { STORIES } from './stories.ts'

export const BEGIN = '<!-- The matrix: written by npm run test:agents -- --write -->'
export const END = '<!-- The end of the matrix -->'

/** What stands in a cell: `pass`, `impossible` or `fail`, and perhaps a remark. */
type Shown = { readonly result: string; readonly note: string }
export type Table = {
  readonly date: string
  readonly versions: ReadonlyMap<AgentName, string>
  readonly cells: ReadonlyMap<string, Shown>
}

export const keyOf = (agent: AgentName, story: StoryId): string => `${agent} ${story}`

/** A run of some cells replaces these and leaves the others. */
export function withResults(table: Table, results: readonly CellResult[], date: string): Table {
  const versions = new Map(table.versions)
  const cells = new Map(table.cells)
  for (const { agent, story, version, result, note } of results) {
    if (result === 'skipped') continue
    versions.set(agent, version)
    cells.set(keyOf(agent, story), { result, note: note.split('\n')[0] ?? '' })
  }
  return { date, versions, cells }
}

export function readTable(page: string): Table {
  const block = page.slice(page.indexOf(BEGIN), page.indexOf(END))
  const rows = block.split('\n').filter((line) => line.startsWith('| '))
  const [head = [], ...rest] = rows.map((row) => row.split('|').map((text) => text.trim()))
  const notes = new Map([...block.matchAll(/^(\d+)\. [^:]+: (.*)$/gm)].map(([, number = '', note = '']) => [number, note]))
  const titles = new Map(STORY_IDS.map((story) => [STORIES[story].title, story]))
  const versions = new Map<AgentName, string>()
  const cells = new Map<string, Shown>()
  for (const row of rest)
    for (const [index, text] of row.entries()) {
      const agent = AGENT_NAMES.find((name) => name === head[index])
      const story = titles.get(row[1] ?? '')
      if (agent === undefined || text === '') continue
      const [, result = text, number] = text.match(/^(\w+) \((\d+)\)$/) ?? []
      if (row[1] === 'version') versions.set(agent, text)
      else if (story !== undefined) cells.set(keyOf(agent, story), { result, note: notes.get(number ?? '') ?? '' })
    }
  return { date: block.match(/^Last run: (\S+)\.$/m)?.[1] ?? '', versions, cells }
}

export function writeTable(page: string, { date, versions, cells }: Table): string {
  const notes: string[] = []
  const cellOf = (agent: AgentName, story: StoryId): string => {
    const shown = cells.get(keyOf(agent, story))
    if (shown === undefined || shown.note === '') return shown?.result ?? ''
    notes.push(`${notes.length + 1}. ${agent}, ${STORIES[story].title}: ${shown.note}`)
    return `${shown.result} (${notes.length})`
  }
  const row = (title: string, texts: readonly string[]): string => `| ${[title, ...texts].join(' | ')} |`
  const rows = [
    row('agent', AGENT_NAMES),
    `|${'---|'.repeat(AGENT_NAMES.length + 1)}`,
    row(
      'version',
      AGENT_NAMES.map((agent) => versions.get(agent) ?? ''),
    ),
    ...STORY_IDS.map((story) =>
      row(
        STORIES[story].title,
        AGENT_NAMES.map((agent) => cellOf(agent, story)),
      ),
    ),
  ]
  const block = [BEGIN, '', `Last run: ${date}.`, '', ...rows, '', ...notes, ...(notes.length > 0 ? [''] : []), ''].join('\n')
  return `${page.slice(0, page.indexOf(BEGIN))}${block}${page.slice(page.indexOf(END))}`
}
