import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import { Mirror } from '../../src/client/mirror.ts'
import { connectTo, status } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

let home: Home
let client: DaemonClient
let mirror: Mirror

const CONFIG = '[web]\nport = 0\n'
const configure = (text: string) => writeFileSync(`${home.path}/config.toml`, text)

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  await run(home, ['daemon', 'start'])
  client = await connectTo(home)
  mirror = new Mirror(client)
  await until(() => mirror.state.settings !== null, { what: 'the settings' })
})

afterAll(async () => {
  mirror?.close()
  client?.close()
  await home?.dispose()
})

describe('the settings of the page', () => {
  test('are told with everything else, and again as soon as the file changes', async () => {
    expect(mirror.state.settings).toMatchObject({ theme: 'system', fontSize: 13 })
    configure(`${CONFIG}[page]\ntheme = "dark"\n[page.keys]\npalette = "Ctrl+P"\n`)
    await until(() => mirror.state.settings?.theme === 'dark', { what: 'the dark page', timeoutMs: 1_500 })
    expect(mirror.state.settings?.keys).toEqual({ palette: 'Ctrl+P' })
  })

  test('stay as they were while the file is wrong, and the daemon says where', async () => {
    configure(`${CONFIG}[page]\ntheme = "dark"\nquiet_hours = "late"\n`)
    await until(async () => (await status(home)).troubles.some((why) => /config\.toml, line 5: page\.quiet_hours/.test(why)), {
      what: 'the trouble',
    })
    expect(mirror.state.settings?.theme).toBe('dark')
    configure(CONFIG)
    await until(() => mirror.state.settings?.theme === 'system', { what: 'the usual page' })
    expect((await status(home)).troubles).toEqual([])
  })
})
