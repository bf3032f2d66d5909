/** systemd and launchd behind one interface: what starts services at login. */
import { join } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { LABEL, plistText, type Start, UNIT, unitText } from './serviceText.ts'

export type Ran = { readonly code: number; readonly out: string; readonly error: string }
/** Null if the program does not exist. */
export type Run = (tool: string, ...args: readonly string[]) => Promise<Ran | null>

export type State = {
  /** Why the manager could not be asked, or null. */
  readonly trouble: string | null
  readonly enabled: boolean
  readonly running: boolean
  /** Null if the system has no lingering, or if it cannot be determined. */
  readonly lingering: boolean | null
}

export type Manager = {
  readonly system: 'systemd' | 'launchd'
  readonly file: string
  text(start: Start): string
  state(): Promise<State>
  /** Call after the file was written. Starts the service now and at each login. */
  enable(options: { readonly isChanged: boolean }): Promise<Result<null>>
  /** Stops the service, now and for the next login. Programs keep running. */
  disable(): Promise<Result<null>>
  /** Call after the file was removed. */
  forget(): Promise<void>
}

export type Surroundings = {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly user: { readonly name: string; readonly id: number }
  readonly run: Run
}

/** Refuses on a system that has neither. */
export async function findManager(surroundings: Surroundings): Promise<Result<Manager>> {
  const { platform, run } = surroundings
  if (platform === 'darwin') return done(launchd(surroundings))
  if (platform === 'linux' && (await run('systemctl', '--version')) !== null) return done(systemd(surroundings))
  return refused(refusals.serviceUnsupported())
}

const saidBy = ({ error, out, code }: Ran): string => (error || out).trim().split('\n')[0] || `it ended with code ${code}`

async function mustRun(run: Run, tool: string, ...args: readonly string[]): Promise<Result<null>> {
  const ran = await run(tool, ...args)
  if (ran?.code === 0) return done(null)
  return refused(refusals.serviceUnanswered([tool, ...args].join(' '), ran === null ? 'it was not found' : saidBy(ran)))
}

async function inTurn(run: Run, lines: readonly (readonly [string, ...string[]])[]): Promise<Result<null>> {
  for (const line of lines) {
    const ran = await mustRun(run, ...line)
    if (!ran.ok) return ran
  }
  return done(null)
}

function systemd({ env, user, run }: Surroundings): Manager {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? '/', '.config')
  const ask = (...args: readonly string[]) => run('systemctl', '--user', ...args)
  const isYes = async (...args: readonly string[]) => (await ask(...args))?.code === 0
  return {
    system: 'systemd',
    file: join(folder, 'systemd/user', UNIT),
    text: unitText,
    async state() {
      const manager = await ask('show', '--property=Version')
      const trouble = manager?.code === 0 ? null : manager === null ? 'systemctl was not found' : saidBy(manager)
      const linger = await run('loginctl', 'show-user', user.name, '--property=Linger', '--value')
      const lingering = linger?.code === 0 ? linger.out.trim() === 'yes' : null
      if (trouble !== null) return { trouble, enabled: false, running: false, lingering }
      return { trouble, enabled: await isYes('is-enabled', UNIT), running: await isYes('is-active', UNIT), lingering }
    },
    enable: ({ isChanged }) =>
      inTurn(run, [
        ['systemctl', '--user', 'daemon-reload'],
        ['systemctl', '--user', 'enable', UNIT],
        ['systemctl', '--user', isChanged ? 'restart' : 'start', UNIT],
      ]),
    disable: () => inTurn(run, [['systemctl', '--user', 'disable', '--now', UNIT]]),
    forget: async () => void (await ask('daemon-reload')),
  }
}

function launchd({ env, user, run }: Surroundings): Manager {
  const file = join(env['HOME'] ?? '/', 'Library/LaunchAgents', `${LABEL}.plist`)
  const domain = `gui/${user.id}`
  return {
    system: 'launchd',
    file,
    text: plistText,
    async state() {
      const shown = await run('launchctl', 'print', `${domain}/${LABEL}`)
      const trouble = shown === null ? 'launchctl was not found' : null
      const isLoaded = shown?.code === 0
      return { trouble, enabled: isLoaded, running: isLoaded && /\bstate = running\b/.test(shown.out), lingering: null }
    },
    async enable({ isChanged }) {
      const isLoaded = (await run('launchctl', 'print', `${domain}/${LABEL}`))?.code === 0
      if (isLoaded && !isChanged) return await inTurn(run, [['launchctl', 'kickstart', `${domain}/${LABEL}`]])
      if (isLoaded) await run('launchctl', 'bootout', `${domain}/${LABEL}`)
      return await inTurn(run, [['launchctl', 'bootstrap', domain, file]])
    },
    async disable() {
      const isLoaded = (await run('launchctl', 'print', `${domain}/${LABEL}`))?.code === 0
      return isLoaded ? await inTurn(run, [['launchctl', 'bootout', `${domain}/${LABEL}`]]) : done(null)
    },
    forget: () => Promise.resolve(),
  }
}
