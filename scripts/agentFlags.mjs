#!/usr/bin/env node
/**
 * Reads the flags of each agent from its own --help:
 *   npm run agents:flags -- --from DIRECTORY [AGENT…]    writes test/fixtures/agents/flags/AGENT.json and src/agents/flags/AGENT.ts
 *   npm run agents:flags -- --check [AGENT…]             writes nothing, prints what was added, removed or changed, and exits with 1
 * Without --from the programs are taken from where the tests install them; what is in neither place is taken from PATH.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { flagsIn, tableText } from './agentHelp.mjs'

/** The subcommands that open a conversation, besides the command itself. */
export const OPENING = {
  claude: [],
  codex: ['resume', 'fork'],
  gemini: [],
  opencode: [],
  qwen: [],
  pi: [],
  copilot: [],
  kilo: [],
  cline: [],
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HELP_MS = 60_000
export const fixtureOf = (agent) => join(ROOT, 'test/fixtures/agents/flags', `${agent}.json`)
export const tableOf = (agent) => join(ROOT, 'src/agents/flags', `${agent}.ts`)

/** Below a directory each agent has one of its own, with its name first: `claude-2.1.325-linux-x64`, `claude-latest`, `codex`. */
export function programOf(agent, directory) {
  const folders = existsSync(directory) ? readdirSync(directory).filter((name) => name === agent || name.startsWith(`${agent}-`)) : []
  const inside = folders
    .toSorted()
    .toReversed()
    .map((name) => join(directory, name, 'node_modules/.bin', agent))
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, agent))
  return [...inside, ...onPath].find((path) => existsSync(path)) ?? null
}

/** In an empty HOME, so that nothing the user has set shows in it. */
function print(program, args) {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-flags-'))
  try {
    const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`, HOME: home, COLUMNS: '100', NO_COLOR: '1' }
    const ran = spawnSync(program, args, { env, encoding: 'utf8', timeout: HELP_MS, stdio: ['ignore', 'pipe', 'pipe'] })
    if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${ran.error?.message ?? ran.stderr.slice(0, 200)}`)
    return `${ran.stdout}\n${ran.stderr}` // opencode and kilo print their help to the second
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** What one agent's program says now. */
export function readAgent(agent, program) {
  const texts = [[], ...OPENING[agent].map((word) => [word])].map((words) => print(program, [...words, '--help']))
  const flags = new Map()
  for (const flag of texts.flatMap(flagsIn)) if (!flags.has(flag.flag)) flags.set(flag.flag, flag)
  const version = /\d+\.\d+\.\d+\S*?(?=[\s).]*(?:\s|$))/.exec(print(program, ['--version']))?.[0] ?? 'unknown'
  return { agent, version, flags: [...flags.values()].toSorted((one, other) => one.flag.localeCompare(other.flag, 'en')) }
}

/** A line for each flag that differs, as people read it. */
export function changes(before, now) {
  const told = ({ flags }) => new Map(flags.map((flag) => [flag.flag, `${[flag.flag, ...flag.aliases].join(', ')}: takes ${flag.takes}`]))
  const [old, fresh] = [told(before), told(now)]
  return [
    ...[...fresh].flatMap(([flag, text]) => (old.has(flag) ? [] : [`+ ${text}`])),
    ...[...old].flatMap(([flag, text]) => (fresh.has(flag) ? [] : [`- ${text}`])),
    ...[...fresh].flatMap(([flag, text]) => (old.has(flag) && old.get(flag) !== text ? [`~ ${text} (was: ${old.get(flag)})`] : [])),
  ]
}

function main() {
  const options = { check: { type: 'boolean', default: false }, from: { type: 'string' } }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const directory = values.from ?? (process.env.HOLDFAST_TEST_AGENTS || join(homedir(), '.cache/holdfast-test-agents'))
  const unknown = positionals.filter((agent) => !Object.hasOwn(OPENING, agent))
  if (unknown.length > 0) throw new Error(`unknown agent: ${unknown.join(', ')}; the agents are ${Object.keys(OPENING).join(', ')}`)
  let isSame = true
  for (const agent of positionals.length > 0 ? positionals : Object.keys(OPENING)) {
    const program = programOf(agent, directory)
    if (program === null) {
      console.log(`${agent}: not found below ${directory}, nor on PATH`)
      isSame = false
      continue
    }
    const now = readAgent(agent, program)
    const path = fixtureOf(agent)
    const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { version: 'none', flags: [] }
    const differing = changes(before, now)
    console.log(`${agent} ${now.version}: ${now.flags.length} flags, ${differing.length} changed since ${before.version}`)
    for (const line of differing) console.log(`  ${line}`)
    if (differing.length > 0) isSame = false
    if (values.check) continue
    const date = differing.length === 0 && before.version === now.version ? before.date : new Date().toISOString().slice(0, 10)
    for (const file of [path, tableOf(agent)]) mkdirSync(dirname(file), { recursive: true })
    const { version, flags } = now
    const lines = flags.map((flag) => `    ${JSON.stringify(flag)}`).join(',\n')
    writeFileSync(path, `{\n  "agent": "${agent}",\n  "version": "${version}",\n  "date": "${date}",\n  "flags": [\n${lines}\n  ]\n}\n`)
    writeFileSync(tableOf(agent), tableText(now))
  }
  if (values.check && !isSame) process.exitCode = 1
  if (!values.check) spawnSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', dirname(fixtureOf(''))], { cwd: ROOT })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
