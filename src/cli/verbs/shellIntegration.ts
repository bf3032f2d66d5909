import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import { usage } from '../parse.ts'
import type { Verb } from '../verb.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export const verb: Verb = {
  name: 'shell-integration',
  summary: 'Print shell functions that give each new conversation an id.',
  operands: '<shell>',
  completes: SHELLS,
  details: [
    'Optional. Add the line to the startup file of your shell; without it nothing changes.',
    'Inside a Holdfast terminal, claude, gemini, qwen and copilot then start a new conversation with an id that Holdfast knows',
    'at once, also when you type them into a shell. Outside, in scripts and pipes, and with arguments that choose a',
    'conversation, they run as you typed them. A function of yours with the same name is left alone.',
  ],
  example: [
    'source <(holdfast shell-integration bash)      # in ~/.bashrc',
    'source <(holdfast shell-integration zsh)       # in ~/.zshrc',
    'holdfast shell-integration fish | source       # in ~/.config/fish/config.fish',
  ],
  run: async (input, host) => {
    const shell = SHELLS.find((known) => known === input.operands[0])
    if (shell === undefined) return usage(`there is no shell integration for "${input.operands[0] ?? ''}", only for ${SHELLS.join(', ')}`)
    const { shellIntegration } = await import('../shellIntegration.ts')
    host.print(shellIntegration(shell))
    return done(EXIT.done)
  },
}
