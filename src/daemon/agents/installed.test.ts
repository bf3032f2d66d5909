import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AGENTS } from '../../agents/programs/all.ts'
import { findInstalled } from './installed.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hf-installed-'))
  for (const folder of ['a', 'b']) mkdirSync(join(root, folder))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** It leaves a mark if anybody starts it. */
function install(name: string, mode = 0o755): void {
  writeFileSync(join(root, name), `#!/bin/sh\ntouch ${root}/started\n`)
  chmodSync(join(root, name), mode)
}

const installed = async (path = `${root}/a:${root}/b`) =>
  (await findInstalled(AGENTS, path)).map(({ name, path: at }) => `${name} ${at.replace(root, '')}`)

test('an agent is installed where the first program of its name in PATH is', async () => {
  install('b/claude')
  install('a/codex')
  install('b/codex')
  install('a/ls')
  expect((await installed()).sort()).toEqual(['claude /b/claude', 'codex /a/codex'])
  expect(await findInstalled(AGENTS, `${root}/b`)).toContainEqual({
    ...{ name: 'claude', label: 'Claude Code', command: 'claude', path: `${root}/b/claude` },
  })
})

test('what cannot be executed, is a directory, leads nowhere or lies in no certain place is none', async () => {
  install('a/gemini', 0o644)
  mkdirSync(join(root, 'a', 'claude'))
  symlinkSync(join(root, 'gone'), join(root, 'a', 'codex'))
  install('b/qwen')
  expect(await installed(`${root}/a:.:b:`)).toEqual([])
})

test('a link to it will do, and another name that it goes by', async () => {
  install('b/real')
  symlinkSync(join(root, 'b', 'real'), join(root, 'a', 'kilocode'))
  expect(await findInstalled(AGENTS, `${root}/a`)).toMatchObject([{ name: 'kilo', command: 'kilocode' }])
})
