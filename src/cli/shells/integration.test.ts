import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { openPty } from '../../../test/support/ptyClient.ts'
import { launchedWith } from '../../agents/argv.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import { integrationScript, type Shell } from './integration.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 's-'))
  // Stands in for the agents: it writes down the very words that it was given.
  for (const name of ['claude', 'gemini', 'qwen', 'copilot', 'codex']) {
    writeFileSync(join(folder, name), `#!/bin/sh\n{ printf '%s\\0' ${name} "$@"; printf '\\1'; } >> "$OUT"\n`)
    chmodSync(join(folder, name), 0o755)
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SHELLS: Readonly<Record<Shell, (rc: string) => readonly string[]>> = {
  bash: (rc) => ['--noprofile', '--rcfile', rc, '-i'],
  zsh: () => ['-d', '-i'],
  fish: (rc) => ['--no-config', '--interactive', '--init-command', `source ${rc}`],
}

type Typed = { readonly isInside?: boolean; readonly before?: string }

/** What the agents were started with when these lines were typed at the prompt. */
async function typed(shell: Shell, lines: readonly string[], { isInside = true, before = '' }: Typed = {}): Promise<string[][]> {
  const rc = join(folder, '.zshrc') // bash and fish are told its name
  writeFileSync(rc, `${before}\n${integrationScript(shell)}`)
  const out = join(folder, 'out')
  const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ZDOTDIR: folder, OUT: out, TERM: 'dumb' }
  await using pty = openPty(shell, { args: SHELLS[shell](rc), env: isInside ? { ...env, HOLDFAST_TERMINAL_ID: 't1' } : env, cwd: folder })
  for (const line of [...lines, 'codex end']) pty.type(`${line}\r`)
  const started = () =>
    existsSync(out)
      ? readFileSync(out, 'utf8')
          .split('\u0001')
          .slice(0, -1)
          .map((words) => words.split('\0').slice(0, -1))
      : []
  await until(() => started().at(-1)?.[0] === 'codex', { what: `${shell} to have run all lines`, timeoutMs: 15_000 }).catch(
    (error: Error) => {
      throw new Error(`${error.message}\n${pty.text()}`)
    },
  )
  return started().slice(0, -1)
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const idOf = (argv: readonly string[]) => {
  const agent = AGENTS.find(({ id }) => id === argv[0])
  return agent === undefined ? null : launchedWith(agent, argv)
}

describe.each(Object.keys(SHELLS) as Shell[])('the shell integration of %s', (shell) => {
  it('gives each new conversation an id of its own, and leaves the words as they were typed', async () => {
    const odd =
      shell === 'fish' ? "claude --model opus 'a \"b\" $HOME *' 'two\nlines' ''" : "claude --model opus 'a \"b\" $HOME *' 'two\nlines' ''"
    const found = await typed(shell, [odd, 'gemini', 'qwen -- --resume', 'copilot'])
    expect(found.map(([name]) => name)).toEqual(['claude', 'gemini', 'qwen', 'copilot'])
    const ids = found.map((argv) => idOf(argv))
    for (const launched of ids) expect(launched).toMatchObject({ provenance: 'assigned', id: expect.stringMatching(ID) })
    expect(new Set(ids.map((launched) => launched?.id)).size).toBe(4)
    expect(found[0]?.slice(3)).toEqual(['--model', 'opus', 'a "b" $HOME *', 'two\nlines', ''])
    expect(found[2]?.slice(3)).toEqual(['--', '--resume'])
  })

  it('adds nothing where the words choose a conversation or open none, in a pipe, in a script, and outside of Holdfast', async () => {
    const lines = [
      'claude --resume x',
      'claude -c',
      'gemini --resume=latest',
      'claude -pc',
      'claude mcp list',
      'claude | cat',
      'echo hi | qwen',
    ]
    writeFileSync(join(folder, 'script'), `#!/bin/sh\nclaude from-script\n`)
    chmodSync(join(folder, 'script'), 0o755)
    const found = await typed(shell, [...lines, './script'])
    expect(found.map((argv) => argv.join(' '))).toEqual([
      ...['claude --resume x', 'claude -c', 'gemini --resume=latest', 'claude -pc', 'claude mcp list', 'claude', 'qwen'],
      'claude from-script',
    ])
    rmSync(join(folder, 'out'))
    expect(await typed(shell, ['claude', 'copilot hi'], { isInside: false })).toEqual([['claude'], ['copilot', 'hi']])
  })

  it('leaves a function of the user alone, and an alias works', async () => {
    const own = shell === 'fish' ? 'function claude; command claude own $argv; end' : 'function claude { command claude own "$@"; }'
    const found = await typed(shell, ['claude x', 'gemini'], { before: `${own}\nalias gemini='gemini --yolo'` })
    expect(found[0]).toEqual(['claude', 'own', 'x'])
    expect(found[1]?.at(-1)).toBe('--yolo')
  })
})
