/** What Holdfast needs from the machine: Node, the native libraries, a systemd user manager. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { PACKAGE_FOLDER } from '../../client/version.ts'
import { bad, type Finding, ok, warn } from './check.ts'

const ANSWER_WITHIN_MS = 10_000
const OLDEST_NODE = [20, 19] as const

export function checkNode(version: string = process.versions.node): readonly Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const enough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  const detail = `${version} (${process.execPath})`
  return [enough ? ok('node', detail) : bad('node', `${detail} is too old`, `Install Node ${OLDEST_NODE.join('.')} or later.`)]
}

/** In its own process, which an unsuitable native library may crash. */
export async function checkPty(): Promise<readonly Finding[]> {
  const loaded = await run(process.execPath, ['--input-type=module', '-e', 'await import(process.argv[1])', 'node-pty'])
  if (loaded.ok) return [ok('pty library', 'loads')]
  return [bad('pty library', `does not load: ${lastLine(loaded.text)}`, 'Reinstall Holdfast on this machine, with this Node.')]
}

const TRY_SQLITE = `
const [name] = process.argv.slice(1)
const { DatabaseSync } = await import(name)
const row = new DatabaseSync(':memory:').prepare('select sqlite_version() as version').get()
process.stdout.write(row.version)
`

export async function checkSqlite(): Promise<readonly Finding[]> {
  let why = ''
  for (const name of ['node:sqlite', '@photostructure/sqlite']) {
    const loaded = await run(process.execPath, ['--no-warnings', '--input-type=module', '-e', TRY_SQLITE, name])
    if (loaded.ok) return [ok('sqlite', `${loaded.text} (${name})`)]
    why = lastLine(loaded.text)
  }
  return [bad('sqlite', `does not load: ${why}`, 'Reinstall Holdfast on this machine, with this Node.')]
}

/** Without a systemd user scope, logging out may end the programs with the session. */
export async function checkScope(env: Readonly<Record<string, string | undefined>>): Promise<readonly Finding[]> {
  if (process.platform !== 'linux') return []
  const advice = 'Programs survive the daemon, but may end when you log out. To avoid that, log in with a systemd user session.'
  const runtime = env['XDG_RUNTIME_DIR'] ?? ''
  if (runtime === '' || !existsSync(`${runtime}/systemd/private`)) return [warn('systemd scope', 'no systemd user manager', advice)]
  const answer = await run('systemctl', ['--user', 'is-system-running'])
  const usable = answer.ok || /^(running|degraded|starting)/.test(answer.text)
  return [
    usable
      ? ok('systemd scope', 'programs survive your logout')
      : warn('systemd scope', `the systemd user manager does not answer: ${lastLine(answer.text)}`, advice),
  ]
}

function run(command: string, args: readonly string[]): Promise<{ readonly ok: boolean; readonly text: string }> {
  return new Promise((resolve) => {
    execFile(command, [...args], { cwd: PACKAGE_FOLDER, timeout: ANSWER_WITHIN_MS }, (error, stdout, stderr) => {
      const text = (error === null ? stdout : `${stdout}${stderr}` || error.message).trim()
      resolve({ ok: error === null, text })
    })
  })
}

/** Node ends its error messages with a blank line and its version; the reason is above. */
function lastLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.find((line) => /Error/.test(line)) ?? lines.findLast((line) => line !== '') ?? 'no reason given'
}
