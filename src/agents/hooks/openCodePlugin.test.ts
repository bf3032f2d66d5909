import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OPENCODE_EVENTS } from './hookTargets.ts'
import { isOurPlugin, openCodePlugin } from './openCodePlugin.ts'

type Plugin = { Holdfast(): Promise<{ event?(input: { event: { type: string; properties?: object } }): Promise<void> }> }

/** Run as opencode runs it, with a `holdfast` that writes down what it is told. */
describe('the plugin of opencode', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'p-'))
    writeFileSync(join(folder, 'holdfast'), `#!/bin/sh\n{ echo "$*"; cat; echo; } >> '${folder}/told'\n`, { mode: 0o755 })
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
    vi.stubEnv('HOLDFAST_TERMINAL_ID', 't1')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  async function load(): Promise<Plugin> {
    const file = join(folder, 'plugin.mjs')
    writeFileSync(file, openCodePlugin('/nowhere/holdfast', OPENCODE_EVENTS))
    return (await import(file)) as Plugin
  }
  const told = (): string[] => {
    try {
      return readFileSync(join(folder, 'told'), 'utf8').trim().split('\n')
    } catch {
      return [] // nothing yet
    }
  }

  it('tells what happens to its own conversations, each once, and nothing of those inside them', async () => {
    const { event } = await (await load()).Holdfast()
    const happen = async (type: string, properties: object, lines: number): Promise<void> => {
      await event?.({ event: { type, properties } })
      await vi.waitFor(() => expect(told()).toHaveLength(lines))
    }
    await happen('session.created', { info: { id: 'ses_1' } }, 2)
    await happen('session.status', { sessionID: 'ses_1', status: { type: 'busy' } }, 4)
    await happen('session.status', { sessionID: 'ses_1', status: { type: 'busy' } }, 4)
    await happen('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } }, 4)
    await happen('session.idle', { sessionID: 'ses_2' }, 4)
    await happen('message.part.updated', { sessionID: 'ses_1' }, 4)
    await happen('session.status', { sessionID: 'ses_1', status: { type: 'idle' } }, 4)
    await happen('session.idle', { sessionID: 'ses_1' }, 6)
    expect(told()).toEqual([
      'agent report opencode --event session.created',
      '{"sessionID":"ses_1"}',
      'agent report opencode --event session.status',
      '{"sessionID":"ses_1","status":"busy"}',
      'agent report opencode --event session.idle',
      '{"sessionID":"ses_1"}',
    ])
  })

  it('does nothing outside Holdfast, and is known to be ours', async () => {
    vi.stubEnv('HOLDFAST_TERMINAL_ID', '')
    expect(await (await load()).Holdfast()).toEqual({})
    expect(isOurPlugin(openCodePlugin('/x', []))).toBe(true)
    expect(isOurPlugin('export const Mine = 1')).toBe(false)
  })
})
