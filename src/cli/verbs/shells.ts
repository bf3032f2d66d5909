/** Scripts that a shell loads: completion, and functions that give new conversations an id. */
import { done } from '../../base/refusal.ts'
import { EXIT } from '../core/exit.ts'
import { usage } from '../core/parse.ts'
import type { Verb } from '../core/verb.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export const completion: Verb = {
  name: 'completion',
  summary: 'Print a shell completion script.',
  operands: '<shell>',
  completes: SHELLS,
  json: false,
  example: [
    'source <(holdfast completion bash)      # in ~/.bashrc',
    'source <(holdfast completion zsh)       # in ~/.zshrc',
    'holdfast completion fish | source       # in ~/.config/fish/config.fish',
  ],
  run: async (cli, input) => {
    const shell = SHELLS.find((known) => known === input.operands[0])
    if (shell === undefined) return usage(`no completion for "${input.operands[0] ?? ''}"; choose one of ${SHELLS.join(', ')}`)
    const { completionScript } = await import('../shells/completion.ts')
    cli.print(completionScript(shell, await cli.verbs()))
    return done(EXIT.done)
  },
}

export const shellIntegration: Verb = {
  name: 'shell-integration',
  summary: 'Print shell functions that give each new conversation an id.',
  operands: '<shell>',
  completes: SHELLS,
  json: false,
  details: [
    'Optional: add the line to the startup file of your shell.',
    'In a Holdfast terminal, claude, gemini, qwen and copilot then start each new',
    'conversation with an id that Holdfast knows at once, even if you type them into a',
    'shell. Elsewhere, in scripts and pipes, and with arguments that choose a',
    'conversation, they run as you typed them. Your own functions of the same names',
    'are not replaced.',
  ],
  example: [
    'source <(holdfast shell-integration bash)      # in ~/.bashrc',
    'source <(holdfast shell-integration zsh)       # in ~/.zshrc',
    'holdfast shell-integration fish | source       # in ~/.config/fish/config.fish',
  ],
  run: async (cli, input) => {
    const shell = SHELLS.find((known) => known === input.operands[0])
    if (shell === undefined) return usage(`no shell integration for "${input.operands[0] ?? ''}"; choose one of ${SHELLS.join(', ')}`)
    const { integrationScript } = await import('../shells/integration.ts')
    cli.print(integrationScript(shell))
    return done(EXIT.done)
  },
}
