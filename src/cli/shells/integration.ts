/**
 * Shell functions, one for each agent that takes an id for a new conversation. In a Holdfast terminal they pass an id, so that
 * Holdfast knows the terminal's conversation from the start. Elsewhere, and if the arguments choose a conversation or open none,
 * they run the agent as it was typed.
 */
import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/programs/all.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

export const integrationScript = (shell: Shell): string => (shell === 'fish' ? fishScript() : posixScript(shell))

type Assigning = Pick<Agent, 'id' | 'flags'> & { readonly assign: (id: string) => readonly string[] }

const assigning = (): readonly Assigning[] => AGENTS.flatMap(({ id, flags, assign }) => (assign === null ? [] : [{ id, flags, assign }]))

/** Arguments that choose a conversation or open none. They need no quotes: the agent defines them. */
const plainWords = ({ flags }: Assigning): readonly string[] =>
  [...new Set([...flags.choosing, ...flags.notConversation])].filter((word) => /^[\w-]+$/.test(word))

/** A function of the user's with the same name stays. */
const GUARD = {
  bash: { interactive: '[[ $- == *i* ]]', isFree: (name: string) => `! declare -F ${name} >/dev/null` },
  zsh: { interactive: '[[ -o interactive ]]', isFree: (name: string) => `(( ! \${+functions[${name}]} ))` },
} as const

function posixScript(shell: 'bash' | 'zsh'): string {
  const { interactive, isFree } = GUARD[shell]
  const functions = assigning().map((agent) => {
    const words = plainWords(agent).flatMap((word) => (word.startsWith('--') ? [word, `${word}=*`] : [word]))
    return `  if ${isFree(agent.id)}; then
    function ${agent.id} {
      local holdfast_id='' holdfast_word
      if [[ -n \${HOLDFAST_TERMINAL_ID-} && -t 0 && -t 1 ]]; then
        holdfast_id=$(command uuidgen 2>/dev/null || command cat /proc/sys/kernel/random/uuid 2>/dev/null)
        for holdfast_word in "$@"; do
          case $holdfast_word in
            --) break ;;
            ${words.join('|')}) holdfast_id='' ;;
            -[!-]?*) holdfast_id='' ;;
          esac
        done
      fi
      if [[ -n $holdfast_id ]]; then
        command ${agent.id} ${agent.assign('$holdfast_id').map(posixWord).join(' ')} "$@"
      else
        command ${agent.id} "$@"
      fi
    }
  fi`
  })
  return `# Holdfast shell integration for ${shell}: source <(holdfast shell-integration ${shell})
if ${interactive}; then
${functions.join('\n')}
fi
`
}

const posixWord = (word: string): string => (word.includes('$') ? `"${word}"` : word)

function fishScript(): string {
  const functions = assigning().map((agent) => {
    const words = plainWords(agent).flatMap((word) => (word.startsWith('--') ? [word, `'${word}=*'`] : [word]))
    return `    if not functions -q ${agent.id}
        function ${agent.id} --wraps ${agent.id}
            set -l holdfast_id ''
            if set -q HOLDFAST_TERMINAL_ID; and isatty stdin; and isatty stdout
                set holdfast_id (command uuidgen 2>/dev/null; or command cat /proc/sys/kernel/random/uuid 2>/dev/null)
                for holdfast_word in $argv
                    if test "$holdfast_word" = --
                        break
                    end
                    switch "$holdfast_word"
                        case ${words.join(' ')}
                            set holdfast_id ''
                    end
                    if string match -qr '^-[^-].' -- "$holdfast_word"
                        set holdfast_id ''
                    end
                end
            end
            if test -n "$holdfast_id"
                command ${agent.id} ${agent.assign('$holdfast_id').map(posixWord).join(' ')} $argv
            else
                command ${agent.id} $argv
            end
        end
    end`
  })
  return `# Holdfast shell integration for fish: holdfast shell-integration fish | source
if status is-interactive
${functions.join('\n')}
end
`
}
