import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AGENTS, agentNamed } from '../../agents/programs/all.ts'
import { lastingArgv } from './lastingCommand.ts'

let place = ''
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-lasting-')))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

function program(path: string): string {
  const whole = join(place, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, '#!/bin/sh\n')
  chmodSync(whole, 0o755)
  return whole
}

function link(path: string, to: string): string {
  const whole = join(place, path)
  mkdirSync(dirname(whole), { recursive: true })
  symlinkSync(to, whole)
  return whole
}

const lasting = (id: string, argv: readonly string[], ...folders: string[]) =>
  lastingArgv(agentNamed(AGENTS, id)!, argv, ['relative', '/nowhere', ...folders.map((folder) => join(place, folder))].join(':'))

describe('a resume starts', () => {
  test('codex by its command, not by the executable inside of its package', () => {
    const script = program('npm/lib/node_modules/@openai/codex/bin/codex.js')
    const native = program('npm/lib/node_modules/@openai/codex/node_modules/@openai/codex-linux-x64/vendor/codex/codex')
    const command = link('npm/bin/codex', script)
    expect(lasting('codex', [native, '-s', 'read-only'], 'npm/bin')).toEqual([command, '-s', 'read-only'])
    expect(lasting('codex', ['node', script, '-s', 'read-only'], 'npm/bin')).toEqual([command, '-s', 'read-only'])
  })

  test('claude by its command, not by the file of one version', () => {
    const old = program('share/claude/versions/2.1.1')
    const command = link('bin/claude', program('share/claude/versions/2.1.2'))
    expect(lasting('claude', [old, '--model', 'opus'], 'bin')).toEqual([command, '--model', 'opus'])
    rmSync(old)
    expect(lasting('claude', [old], 'bin')).toEqual([command])
  })

  test('an agent by the script that its package manager has put above it', () => {
    const command = program('pnpm/gemini')
    const script = program('pnpm/global/5/.pnpm/gemini@1/lib/gemini.js')
    expect(lasting('gemini', ['node', '--no-warnings', script, '-y'], 'pnpm')).toEqual([command, '-y'])
    const linked = link('pnpm/global/5/bin/gemini', program('store/gemini.js'))
    expect(lasting('gemini', ['node', linked], 'pnpm')).toEqual([command])
  })

  test('the command that was typed, while there is no other of the same installation', () => {
    const native = program('one/node_modules/codex/codex')
    program('two/node_modules/codex/codex')
    link('bin/codex', join(place, 'two/node_modules/codex/codex'))
    expect(lasting('codex', ['codex', '-y'], 'bin')).toEqual(['codex', '-y'])
    expect(lasting('codex', ['./codex'], 'bin')).toEqual(['./codex'])
    expect(lasting('codex', [native], 'bin')).toEqual([native])
    expect(lasting('codex', [native])).toEqual([native])
    // One that cannot be run is not the command.
    chmodSync(join(place, 'two/node_modules/codex/codex'), 0o644)
    expect(lasting('codex', [native], 'bin')).toEqual([native])
    const own = link('one/bin/codex', native)
    expect(lasting('codex', [own], 'one/bin')).toEqual([own])
  })
})
