/**
 * Runs the real agents: `npm run test:agents` the whole matrix and the tests beside it, `-- --agent pi --story crash` one cell.
 * `--write` puts the results into docs/agents.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')

const run = (args, env = {}) =>
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

/** Runs the chosen cells; returns what they gave, and whether all tests passed. */
export function runMatrix({ agents = '', stories = '', env = {}, isWritten = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'))
  const path = join(folder, 'results')
  const isPart = agents !== '' || stories !== ''
  try {
    const chosen = { AGENTS_ONLY: agents, AGENTS_STORIES: stories, AGENTS_RESULTS: path }
    const which = isPart ? ['test/agents/matrix.test.ts'] : []
    const code = run([VITEST, 'run', '--project', 'agents', ...which], { ...env, ...chosen })
    const results = resultsIn(path)
    if (isWritten) run([VITEST, 'run', '--project', 'unit', 'test/support/agents/matrix/table.test.ts'], { AGENTS_WRITE: path })
    return { results, isGood: code === 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function resultsIn(path) {
  try {
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line))
  } catch {
    return [] // no cell was run
  }
}

export function summary(results) {
  const count = (kind) => results.filter(({ result }) => result === kind).length
  const bad = results.filter(({ result }) => result === 'fail' || result === 'skipped')
  const lines = bad.map(({ agent, story, result, note }) => `  ${agent}, ${story}: ${result}: ${note.split('\n')[0]}`)
  const seconds = Math.max(0, ...results.map((each) => each.seconds))
  const counts = `${count('pass')} pass, ${count('impossible')} impossible, ${count('fail')} fail, ${count('skipped')} skipped`
  return [`Matrix: ${counts}; the longest took ${seconds} s`, ...lines].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { agent: { type: 'string' }, story: { type: 'string' }, write: { type: 'boolean' } },
  })
  if (run([join(ROOT, 'scripts', 'build.mjs')]) !== 0) process.exit(1)
  const { results, isGood } = runMatrix({ agents: values.agent, stories: values.story, isWritten: values.write })
  process.stdout.write(`${summary(results)}\n`)
  process.exitCode = isGood ? 0 : 1
}
