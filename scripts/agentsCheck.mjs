/**
 * Tries the newest published version of each agent: `npm run agents:check [-- --agent pi] [--all] [--write]`.
 * Prints what changed against the pinned version in flags, files, prompts and exits, and runs the matrix with it. Agents whose
 * pinned version is the newest are left out, unless --all. Nothing in the repository changes unless --write is given.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runMatrix, summary } from './testAgents.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const KINDS = ['flags', 'files', 'prompt', 'exit']

const say = (text) => process.stdout.write(`${text}\n`)

/** Name, package and pinned version of each agent, as the tests have them. */
export function pinnedIn(source) {
  const rows = source.matchAll(/^ {2}(\w+): \{ name: '([^']+)', version: '([^']+)'/gm)
  return [...rows].map(([, agent, name, version]) => ({ agent, name, version }))
}

function newestOf(name) {
  const asked = spawnSync('npm', ['view', name, 'version', '--json'], { encoding: 'utf8' })
  if (asked.status !== 0) return { reason: `npm view ${name} failed: ${asked.stderr.trim().split('\n')[0]}` }
  return { version: JSON.parse(asked.stdout) }
}

/** Lines with what the newer one has more, and less. */
export function changed(kind, before, after) {
  const added = after[kind].filter((text) => !before[kind].includes(text))
  const removed = before[kind].filter((text) => !after[kind].includes(text))
  if (added.length + removed.length === 0) return [`  ${kind}: the same`]
  return [`  ${kind}:`, ...added.map((text) => `    + ${text}`), ...removed.map((text) => `    - ${text}`)]
}

function factsOf(agents, env) {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'))
  const path = join(folder, 'facts')
  try {
    const more = { AGENTS_ONLY: agents.join(','), AGENTS_FACTS: path }
    spawnSync(process.execPath, [VITEST, 'run', '--project', 'agents', 'test/agents/facts.test.ts'], {
      ...{ cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env, ...more } },
    })
    if (!existsSync(path)) return []
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tellChanges(facts, { agent, version }, newest) {
  const of = (wanted) => facts.find((each) => each.agent === agent && each.version === wanted)
  const [before, after] = [of(version), of(newest)]
  say(`${agent} ${version} → ${newest}`)
  if (before === undefined) say(`  ${version} did not start, or did not get as far as its first answer`)
  if (after === undefined) say(`  ${newest} could not be installed, did not start, or did not get as far as its first answer (see above)`)
  if (before !== undefined && after !== undefined) for (const kind of KINDS) say(changed(kind, before, after).join('\n'))
}

function main() {
  const { values } = parseArgs({ options: { agent: { type: 'string' }, all: { type: 'boolean' }, write: { type: 'boolean' } } })
  const chosen = values.agent?.split(',')
  const pinned = pinnedIn(readFileSync(join(ROOT, 'test/support/agents/installAgents.ts'), 'utf8'))
  const tried = []
  for (const each of pinned.filter(({ agent }) => chosen === undefined || chosen.includes(agent))) {
    const { version, reason } = newestOf(each.name)
    if (reason !== undefined) say(`${each.agent}: ${reason}`)
    else if (version === each.version && values.all !== true) say(`${each.agent}: ${version} is pinned and is the newest`)
    else tried.push({ ...each, newest: version })
  }
  if (tried.length === 0) return
  if (spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: 'inherit' }).status !== 0) process.exit(1)
  const env = { AGENTS_VERSIONS: JSON.stringify(Object.fromEntries(tried.map(({ agent, newest }) => [agent, newest]))) }
  const agents = tried.map(({ agent }) => agent)
  const facts = factsOf(agents, env)
  for (const each of tried) tellChanges(facts, each, each.newest)
  // What its own --help says of each flag; with --write it becomes what the tests and the resume go by.
  const mode = values.write === true ? [] : ['--check']
  const started = tried.filter((each) => facts.some(({ agent, version }) => agent === each.agent && version === each.newest))
  const names = started.map(({ agent }) => agent)
  if (names.length > 0) spawnSync(process.execPath, [join(ROOT, 'scripts', 'agentFlags.mjs'), ...mode, ...names], { stdio: 'inherit' })
  const { results, isGood } = runMatrix({ agents: agents.join(','), env, isWritten: values.write })
  say(summary(results))
  process.exitCode = isGood ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
