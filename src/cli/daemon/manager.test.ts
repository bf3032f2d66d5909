import { describe, expect, it } from 'vitest'
import { findManager, type Manager, type Ran, type Surroundings } from './manager.ts'

const OK: Ran = { code: 0, out: '', error: '' }

/** Tools that say what they are given here, and note how they were run. */
async function scene(platform: string, answers: Readonly<Record<string, Ran | null>> = {}) {
  const ran: string[] = []
  const surroundings: Surroundings = {
    platform,
    env: { HOME: '/home/ada' },
    user: { name: 'ada', id: 501 },
    run: (tool, ...args) => {
      const line = [tool, ...args].join(' ')
      ran.push(line)
      const key = Object.keys(answers).find((each) => line.startsWith(each))
      return Promise.resolve(key === undefined ? OK : (answers[key] ?? null))
    },
  }
  const found = await findManager(surroundings)
  ran.length = 0
  return { found, ran }
}

const managerOf = ({ found }: Awaited<ReturnType<typeof scene>>): Manager => {
  if (!found.ok) throw new Error(found.refusal.message)
  return found.value
}

describe('launchd', () => {
  const notLoaded = { 'launchctl print': { code: 113, out: '', error: 'Could not find service' } }

  it('loads the agent of the user, and unloads it before it is loaded anew', async () => {
    const fresh = await scene('darwin', notLoaded)
    const manager = managerOf(fresh)
    expect(manager.file).toBe('/home/ada/Library/LaunchAgents/holdfast.daemon.plist')
    expect((await manager.enable({ isChanged: true })).ok).toBe(true)
    expect(fresh.ran.at(-1)).toBe(`launchctl bootstrap gui/501 ${manager.file}`)
    const loaded = await scene('darwin')
    await managerOf(loaded).enable({ isChanged: true })
    expect(loaded.ran.slice(1)).toEqual(['launchctl bootout gui/501/holdfast.daemon', `launchctl bootstrap gui/501 ${manager.file}`])
  })

  it('tells whether it runs, and is removed only where it is loaded', async () => {
    const running = await scene('darwin', { 'launchctl print': { ...OK, out: 'state = running' } })
    expect(await managerOf(running).state()).toEqual({ trouble: null, enabled: true, running: true, lingering: null })
    const gone = await scene('darwin', notLoaded)
    expect((await managerOf(gone).disable()).ok).toBe(true)
    expect(gone.ran).toEqual(['launchctl print gui/501/holdfast.daemon'])
  })
})

describe('systemd', () => {
  it('is honest about a user manager that does not answer', async () => {
    const silent = { code: 1, out: '', error: 'Failed to connect to bus: No medium found\n' }
    const manager = managerOf(await scene('linux', { 'systemctl --user': silent, loginctl: null }))
    expect(await manager.state()).toEqual({
      trouble: 'Failed to connect to bus: No medium found',
      enabled: false,
      running: false,
      lingering: null,
    })
    expect(await manager.enable({ isChanged: true })).toMatchObject({ ok: false, refusal: { code: 'service-unanswered' } })
  })
})

it('where there is neither of them, that is said', async () => {
  for (const platform of ['freebsd', 'linux'])
    expect((await scene(platform, { systemctl: null })).found).toMatchObject({ ok: false, refusal: { code: 'service-unsupported' } })
})
