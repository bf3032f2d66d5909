import { spawn } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { isRunning } from '../processes.ts'

export const AGENT_NAMES = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'pi', 'copilot', 'kilo', 'cline'] as const
export type AgentName = (typeof AGENT_NAMES)[number]

export type AgentPackage = {
  readonly name: string
  readonly version: string
  readonly finish: string | null
  /** It needs a newer Node than Holdfast does; that is installed beside it, and found first. */
  readonly needsNode24?: true
}

/** Exact versions: their files and screens differ from one to the next. */
export const PACKAGES: Readonly<Record<AgentName, AgentPackage>> = {
  // `finish` puts the program for this platform in its place; run by name, because a user may have forbidden install scripts.
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.325', finish: 'install.cjs' },
  codex: { name: '@openai/codex', version: '0.166.0', finish: null },
  gemini: { name: '@google/gemini-cli', version: '0.61.0', finish: null },
  opencode: { name: 'opencode-ai', version: '1.18.33', finish: 'postinstall.mjs' },
  qwen: { name: '@qwen-code/qwen-code', version: '0.24.4', finish: null, needsNode24: true },
  pi: { name: '@mariozechner/pi-coding-agent', version: '0.73.1', finish: null },
  copilot: { name: '@github/copilot', version: '1.0.102', finish: null },
  kilo: { name: '@kilocode/cli', version: '7.7.7', finish: 'postinstall.mjs' },
  cline: { name: 'cline', version: '3.0.65', finish: 'postinstall.mjs' },
}

/** The program alone: the package `node` fetches it in an install script. */
const NODE_24 = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}@24`

/** `npm run agents:check` tries other versions: JSON, by the agent's name. */
export const OTHER_VERSIONS = 'AGENTS_VERSIONS'

/** The version that this run is about. */
export function versionOf(agent: AgentName, env: NodeJS.ProcessEnv = process.env): string {
  const others = JSON.parse(env[OTHER_VERSIONS] || '{}') as Partial<Record<AgentName, string>>
  return others[agent] ?? PACKAGES[agent].version
}

/** Where a run of the tests keeps the user's NODE_EXTRA_CA_CERTS for npm. */
export const NPM_CERTIFICATES = 'HOLDFAST_TEST_NPM_CERTIFICATES'

export type Installed = { readonly ok: true; readonly bin: string } | { readonly ok: false; readonly reason: string }

const INSTALL_MS = 300_000 // some 100 MB each; machines that are slower than this get to hear it
const FAILED_FOR_MS = 300_000 // whoever asks within this time of a failure is told it, and does not wait for it again
const POLL_MS = 200

/** Where programs are kept from one run of the tests to the next. */
export function agentCache(env: NodeJS.ProcessEnv = process.env): string {
  const given = env['HOLDFAST_TEST_AGENTS']
  if (given !== undefined && given !== '') return given
  const own = join(homedir(), '.cache', 'holdfast-test-agents')
  try {
    mkdirSync(own, { recursive: true })
    return own
  } catch {
    return join(tmpdir(), 'holdfast-test-agents') // a home that is not ours to write
  }
}

/** Installs one agent unless it is there, or waits for whoever is at it. Never throws for what is wrong with the network. */
export async function installAgent(
  agent: AgentName,
  { cache = agentCache(), signal, isPinned = false }: { cache?: string; signal?: AbortSignal; isPinned?: boolean } = {},
): Promise<Installed> {
  const version = isPinned ? PACKAGES[agent].version : versionOf(agent)
  const prefix = join(cache, `${agent}-${version}-${process.platform}-${process.arch}`)
  const found: Installed = { ok: true, bin: join(prefix, 'node_modules', '.bin', agent) }
  mkdirSync(cache, { recursive: true })
  const deadline = performance.now() + INSTALL_MS
  while (!existsSync(prefix)) {
    const failure = recentFailure(prefix)
    if (failure !== null) return { ok: false, reason: failure }
    if (!takeLock(`${prefix}.lock`)) {
      if (performance.now() > deadline) return { ok: false, reason: `another process has not finished installing ${agent}` }
      await delay(POLL_MS)
      continue
    }
    try {
      if (!existsSync(prefix)) await install(agent, { prefix, version, signal })
      rmSync(`${prefix}.failed`, { force: true })
    } catch (error) {
      const reason = `${agent} could not be installed: ${error instanceof Error ? error.message : String(error)}`
      if (signal?.aborted !== true) writeFileSync(`${prefix}.failed`, reason)
      return { ok: false, reason }
    } finally {
      rmSync(`${prefix}.lock`, { force: true })
    }
  }
  return found
}

type Install = { readonly prefix: string; readonly version: string; readonly signal: AbortSignal | undefined }

/** Into a directory of its own that is then renamed: what is there is whole. */
async function install(agent: AgentName, { prefix, version, signal }: Install): Promise<void> {
  const { name, finish, needsNode24 } = PACKAGES[agent]
  const place = `${prefix}.new-${process.pid}`
  try {
    mkdirSync(place, { recursive: true })
    const quiet = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--loglevel', 'error', '--ignore-scripts']
    // Patient with a slow mirror, but not with a machine that has no network.
    const patience = ['--fetch-retries', '1', '--fetch-retry-mintimeout', '1000', '--fetch-retry-maxtimeout', '2000']
    // Whatever is written on the way lands in there, and not where the tests look for what they left.
    const scratch = join(place, '.scratch')
    mkdirSync(scratch)
    const wanted = [`${name}@${version}`, ...(needsNode24 === true ? [NODE_24] : [])]
    const npm = ['install', '--prefix', place, '--cache', join(scratch, 'npm'), ...quiet, ...patience, ...wanted]
    await succeed('npm', npm, { cwd: place, signal })
    if (finish !== null) await succeed(process.execPath, [finish], { cwd: join(place, 'node_modules', name), signal, home: scratch })
    const said = await succeed(join(place, 'node_modules', '.bin', agent), ['--version'], { cwd: place, signal, home: scratch })
    if (!said.includes(version)) throw new Error(`it says that it is ${said.trim()}`)
    rmSync(scratch, { recursive: true, force: true })
    moveUnlessThere(place, prefix)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Two may have found the lock of one that is gone. */
function moveUnlessThere(place: string, prefix: string): void {
  try {
    renameSync(place, prefix)
  } catch (error) {
    if (!existsSync(prefix)) throw error
  }
}

type Where = { readonly cwd: string; readonly signal?: AbortSignal | undefined; readonly home?: string }

async function succeed(file: string, args: readonly string[], { cwd, signal, home }: Where): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(HOLDFAST_|VITEST|npm_package_|npm_lifecycle_)/.test(name)),
  )
  env['NODE_EXTRA_CA_CERTS'] ??= process.env[NPM_CERTIFICATES]
  const child = spawn(file, args, {
    cwd,
    env: home === undefined ? env : { ...env, HOME: home, TMPDIR: home },
    signal,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: INSTALL_MS,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString('utf8')))
  const code = await new Promise<number | null>((settle, fail) => child.once('close', settle).once('error', fail))
  if (code !== 0) throw new Error(`${basename(file)} ended with ${code}: ${firstLines(said)}`)
  return said
}

const firstLines = (text: string): string => text.trim().split('\n').slice(0, 3).join(' ').slice(0, 300)

function recentFailure(prefix: string): string | null {
  try {
    const { mtimeMs } = statSync(`${prefix}.failed`)
    return Date.now() - mtimeMs < FAILED_FOR_MS ? readFileSync(`${prefix}.failed`, 'utf8') : null
  } catch {
    return null // nobody failed
  }
}

/** A lock appears with its owner's pid in it, so that one of a process that is gone is known. */
function takeLock(path: string): boolean {
  const own = `${path}-${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, path)
    return true
  } catch {
    if (!isRunning(ownerOf(path))) rmSync(path, { force: true })
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

function ownerOf(path: string): number | null {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return null // it was given back in this moment
  }
}
