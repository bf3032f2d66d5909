import { describe, expect, test } from 'vitest'
import { AGENTS, agentNamed } from './programs/all.ts'
import { hintIn } from './shown.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d3e'
const OTHER = 'fcdae86b-0dcb-45e4-b21c-ea38d8eb2b9c'
const said = (agent: string, ...lines: readonly string[]) => hintIn(agentNamed(AGENTS, agent)!, lines.join('\n'))

describe('on leaving', () => {
  test('claude says its conversation, with the flags it was started with between', () => {
    expect(said('claude', '❯ hello', '', 'Resume this session with:', `claude --resume ${ID}`, '$')).toBe(ID)
    expect(
      said('claude', 'Resume this session with:', `claude --model opus --append-system-prompt 'be brief' --resume ${ID}`, '$ claude'),
    ).toBe(ID)
  })

  test('codex says it, whether it ends or only disconnects', () => {
    expect(said('codex', 'Token usage: total=15', 'To continue this session, run:', `  codex resume ${ID}`, '$')).toBe(ID)
    expect(said('codex', 'Disconnected from this task.', 'To reconnect, run:', `  codex resume ${ID}`)).toBe(ID)
  })

  test('gemini says it in a box, in one line or in as many as it takes', () => {
    expect(said('gemini', `│  To resume this session: gemini --resume ${ID}      │`, '╰──────╯', 'Created a plan')).toBe(ID)
    expect(said('gemini', '│  To resume this session: gemini --resume       │', `│  ${ID}          │`, '╰──────────╯', 'Bye')).toBe(ID)
    expect(
      said(
        'gemini',
        '│  To resume this    │',
        '│  session: gemini   │',
        '│  --resume          │',
        `│  ${ID.slice(0, 18)}│`,
        `│  ${ID.slice(18)}│`,
        'Done',
      ),
    ).toBe(ID)
  })

  test('others say it in their own ways', () => {
    expect(said('opencode', '  Session   Greetings', '  Continue  opencode -s ses_e1f449f5effe6EQd5Nh9u2DHMY', '', '$')).toBe(
      'ses_e1f449f5effe6EQd5Nh9u2DHMY',
    )
    expect(said('qwen', 'To continue this session, run', `qwen --resume ${ID}`)).toBe(ID)
    expect(said('copilot', 'Changes    +0 -0', `Resume     copilot --resume=${ID}`)).toBe(ID)
    expect(said('kilo', '  Continue  kilo -s ses_e1f449f5effe6EQd5Nh9u2DHMY')).toBe('ses_e1f449f5effe6EQd5Nh9u2DHMY')
    expect(said('cline', '  Cost      $0.00', '  Continue  cline --id 1794772872079_paw08', '')).toBe('1794772872079_paw08')
  })

  test('the last that was said counts', () => {
    const hint = (id: string) => ['To continue this session, run:', `  codex resume ${id}`, '$ codex', '']
    expect(said('codex', ...hint(OTHER), ...hint(ID))).toBe(ID)
  })

  test('nothing is taken from what is only talked about, cut off or of another agent', () => {
    expect(said('claude', `you can go on with claude --resume ${ID}`)).toBeNull()
    expect(said('claude', 'Resume this session with:', 'claude --resume', '$')).toBeNull()
    expect(said('claude', 'Resume this session with:', `claude --resume ${ID.slice(0, 30)}`)).toBeNull()
    expect(said('codex', 'Resume this session with:', `claude --resume ${ID}`)).toBeNull()
    expect(said('pi', `pi --session ${ID}`)).toBeNull()
    expect(said('gemini', '')).toBeNull()
  })

  test('only the last of very many words are read', () => {
    const hint = `To continue this session, run: codex resume ${ID}\n`
    expect(said('codex', `${hint}${'word '.repeat(100_000)}`)).toBeNull()
    expect(said('codex', `${'word '.repeat(100_000)}${hint}`)).toBe(ID)
  })
})
