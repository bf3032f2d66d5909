import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAllVerbs, VERBS } from '../verbs.ts'
import { completionScript } from './completion.ts'

const run = promisify(execFile)
let folder = ''

/** Stands in for the installed command: all that completion asks of it is the list. */
const listed = [
  { id: 't0000000001', name: 'api', because: { kind: 'name' } },
  { id: 't0000000002', name: 'two words $(touch pwned)', because: null },
  { id: 't0000000003', name: null, because: null },
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'c-'))
  await writeFile(join(folder, 'holdfast'), `#!/bin/sh\ncat <<'END'\n${JSON.stringify(listed, null, 2)}\nEND\n`, { mode: 0o755 })
  await writeFile(join(folder, 'completion.bash'), completionScript('bash', await loadAllVerbs()))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function completed(...words: string[]): Promise<string[]> {
  const script = `source ./completion.bash; COMP_WORDS=(holdfast "$@"); COMP_CWORD=$#; _holdfast; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', ...words], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}` },
  })
  return stdout.split('\n').filter((line) => line !== '')
}

describe('completion in bash', () => {
  it('offers verbs, and the verbs within', async () => {
    expect(await completed('')).toEqual(expect.arrayContaining(Object.keys(VERBS)))
    expect(await completed('daemon', 'st')).toEqual(['start', 'stop', 'status'])
  })

  it('offers options and their values', async () => {
    expect(await completed('read', 'api', '--f')).toEqual(['--format'])
    expect(await completed('read', '--format', '')).toEqual(['text', 'ansi', 'html', 'json'])
    expect(await completed('new', '--name', '')).toEqual([])
  })

  it('offers the verbs of workspaces and the sides of a place', async () => {
    expect(await completed('workspace', '')).toEqual(expect.arrayContaining(['ls', 'new', 'rename', 'close']))
    expect(await completed('move', 'api', '--where', '')).toEqual(['left', 'right', 'top', 'bottom', 'center'])
    expect(await completed('sleep', 'a')).toEqual(['api'])
  })

  it('offers the verbs of groups and layouts, and what they take', async () => {
    expect(await completed('group', '')).toEqual(expect.arrayContaining(['ls', 'new', 'rename', 'color', 'move', 'close']))
    expect(await completed('group', 'color', 'p')).toEqual(['pink', 'purple'])
    expect(await completed('workspace', 'view', 'c')).toEqual(['canvas'])
    expect(await completed('layout', 'zoom', 'a')).toEqual(['api'])
    expect(await completed('new', '--where', 'b')).toEqual(['bottom'])
  })

  it('offers the agents that have hooks and the states to wait for, but not what is for programs', async () => {
    expect(await completed('agent', 'hooks', 'install', 'c')).toEqual(['claude', 'codex'])
    expect(await completed('wait', 'api', '--agent', 'n')).toEqual(['needs-you'])
    expect(await completed('agent', 'r')).toEqual([])
    expect(completionScript('fish', await loadAllVerbs())).not.toContain('agent report')
  })

  it('offers ids and names, and never runs what is in a name', async () => {
    expect(await completed('attach', 't')).toEqual(['t0000000001', 't0000000002', 'two\\ words\\ \\$\\(touch\\ pwned\\)', 't0000000003'])
    expect(await completed('attach', 'a')).toEqual(['api'])
    expect(await completed('config', 'check', 'pwn')).toEqual([])
    expect(await completed('config', 'check', 'comp')).toEqual(['completion.bash'])
  })
})

it.each(['zsh', 'fish'] as const)('has a script for %s that knows every verb', async (shell) => {
  const script = completionScript(shell, await loadAllVerbs())
  for (const name of Object.keys(VERBS)) expect(script).toContain(name)
})
