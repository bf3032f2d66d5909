import { describe, expect, test } from 'vitest'
import { AGENTS, agentNamed } from './all.ts'

const shown = (agent: string, title: string, ...screen: readonly string[]) =>
  agentNamed(AGENTS, agent)!.shown!({ title, screen: [...screen, '', ''] })?.state ?? null

describe('from what it shows', () => {
  test.each([
    ['claude', '✳ Claude Code', 'idle'],
    ['claude', '◐ Fix the bug', 'working'],
    ['claude', '⠂ Claude Code', 'working'],
    ['claude', 'vim notes', null],
    ['codex', '⠋ project', 'working'],
    ['gemini', '◇  Ready (project)      ', 'idle'],
    ['gemini', '✦  Working… (project)', 'working'],
    ['gemini', '✋  Action Required (project)', 'needs-you'],
    ['qwen', '◐︎ Qwen - project', 'working'],
    ['qwen', 'Qwen - project', 'idle'],
    ['opencode', 'OC | Fix the bug', null],
  ])('%s with the title %s', (agent, title, state) => expect(shown(agent, title)).toBe(state))

  test('claude waits while its dialog is there, whatever the title says', () => {
    const dialog = ['  Do you want to proceed?', '  ❯ 1. Yes', '    2. No']
    expect(shown('claude', '✳ Claude Code', ...dialog)).toBe('needs-you')
    expect(shown('claude', '✳ Claude Code', 'Do you want to proceed?', '❯ ')).toBe('idle')
    expect(shown('claude', '✳ Claude Code', ...dialog, ...Array.from({ length: 40 }, () => 'talk'))).toBe('idle')
  })

  test('codex and opencode work while they offer to be interrupted, and rest while they do not', () => {
    expect(shown('codex', 'project', '• Working (3s • esc to interrupt)', '› Ask Codex to do anything')).toBe('working')
    expect(shown('codex', 'project', '› Ask Codex to do anything', '  gpt-6 default · /p')).toBe('idle')
    expect(shown('codex', 'project', '  Would you like to run the following command?', '› 1. Yes, proceed')).toBe('needs-you')
    expect(shown('opencode', '', '   ⬝⬝⬝⬝  esc interrupt        15 (0%)  ctrl+p commands')).toBe('working')
    expect(shown('opencode', '', '   /p                         15 (0%)  ctrl+p commands')).toBe('idle')
    expect(shown('opencode', '', '  △ Permission required', '   Allow once   Allow always   Reject')).toBe('needs-you')
  })

  test('nothing is made up from an empty screen', () => {
    for (const agent of AGENTS) expect(agent.shown?.({ title: '', screen: [] }) ?? null, agent.id).toBeNull()
  })
})
