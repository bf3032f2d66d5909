import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import { usage } from '../parse.ts'
import type { Verb } from '../verb.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export const verb: Verb = {
  name: 'completion',
  summary: 'Print a script that completes verbs, options, ids and names in your shell.',
  operands: '<shell>',
  completes: SHELLS,
  example: [
    'source <(holdfast completion bash)      # in ~/.bashrc',
    'source <(holdfast completion zsh)       # in ~/.zshrc',
    'holdfast completion fish | source       # in ~/.config/fish/config.fish',
  ],
  run: async (input, host) => {
    const shell = SHELLS.find((known) => known === input.operands[0])
    if (shell === undefined) return usage(`there is no completion for "${input.operands[0] ?? ''}", only for ${SHELLS.join(', ')}`)
    const { completionScript } = await import('../completion.ts')
    host.print(completionScript(shell, await host.verbs()))
    return done(EXIT.done)
  },
}
