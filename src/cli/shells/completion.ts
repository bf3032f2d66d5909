/**
 * What shells load: completion scripts, made from the same verbs as the command line (here), and functions that give new
 * conversations of agents an id (integration). Pure text. Start reading here. Below: `core/`.
 */
import { type Option, optionsOf, type Verb } from '../core/verb.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** A position on the command line: the words before it, as a path, and the verb they name. */
type Place = { readonly path: string; readonly verb: Verb }

export function completionScript(shell: Shell, verbs: readonly Verb[]): string {
  const root: Verb = {
    name: 'holdfast',
    summary: '',
    example: [],
    options: [{ flags: '--no-open', help: 'print the address without opening a browser' }],
    verbs,
  }
  const places = placesIn(root, '')
  return { bash: bashScript, zsh: zshScript, fish: () => fishScript(verbs) }[shell](places)
}

const shownVerbs = ({ verbs = [] }: Verb): readonly Verb[] => verbs.filter(({ hidden }) => hidden !== true)

const placesIn = (verb: Verb, path: string): Place[] => [
  { path, verb },
  ...shownVerbs(verb).flatMap((child) => placesIn(child, `${path}/${child.name}`)),
]

/**
 * Ids and names of terminals, one per line; `ls --json` prints each field of a terminal on a line of its own.
 * Names are data: no script below lets its shell expand them.
 */
const LIST_TERMINALS = `holdfast ls --json 2>/dev/null | sed -n -e 's/^    "id": "\\(.*\\)",$/\\1/p' -e 's/^    "name": "\\([^"\\\\]*\\)",$/\\1/p'`

const longFlag = ({ flags }: Option): string => /--[a-z-]+/.exec(flags)?.[0] ?? ''
const shortFlag = ({ flags }: Option): string => /^-([a-zA-Z])\b/.exec(flags)?.[1] ?? ''
const takesValue = ({ flags }: Option): boolean => flags.includes('<')

const staticWords = ({ verb }: Place): string[] => [
  ...shownVerbs(verb).map(({ name }) => name),
  ...optionsOf(verb).map(longFlag),
  '--help',
  ...(Array.isArray(verb.completes) ? verb.completes : []),
]

const namesTerminals = ({ verb: { operands = '', completes } }: Place): boolean =>
  completes === 'terminals' || (completes === undefined && /[<[]id\b/.test(operands))

/** The pattern of all places but the first, for a `case`. */
const placePattern = (places: readonly Place[]): string =>
  places
    .map(({ path }) => path)
    .filter((path) => path !== '')
    .join('|')

function valueCases(places: readonly Place[], choose: (words: readonly string[]) => string, directories: string): string {
  return places
    .flatMap(({ path, verb }) =>
      optionsOf(verb)
        .filter(takesValue)
        .map((option) => {
          const act = option.choices !== undefined ? choose(option.choices) : longFlag(option) === '--cwd' ? directories : ':'
          return `    '${path}:${longFlag(option)}') ${act}; return ;;`
        }),
    )
    .join('\n')
}

const placeCases = (places: readonly Place[]): string =>
  places
    .map((place) => {
      const words = `candidates=(${staticWords(place).join(' ')})`
      return `    '${place.path}') ${words}${namesTerminals(place) ? '; terminals=1' : ''}${place.verb.completes === 'file' ? '; files=1' : ''} ;;`
    })
    .join('\n')

const bashScript = (places: readonly Place[]): string => `# holdfast completion for bash: source <(holdfast completion bash)
_holdfast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" place="" terminals="" files="" word i
  local -a candidates=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ $word == -- ]] && { COMPREPLY=($(compgen -f -- "$current")); return; }
    case "$place/$word" in
      ${placePattern(places)}) place="$place/$word" ;;
    esac
  done
  COMPREPLY=()
  case "$place:$previous" in
${valueCases(places, (words) => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current"))`, 'COMPREPLY=($(compgen -d -- "$current"))')}
  esac
  case "$place" in
${placeCases(places)}
  esac
  if [[ -n $terminals && $current != -* ]]; then
    while IFS= read -r word; do candidates+=("$word"); done < <(${LIST_TERMINALS})
  fi
  [[ -n $files && $current != -* ]] && COMPREPLY=($(compgen -f -- "$current"))
  for word in "\${candidates[@]}"; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
  done
}
complete -F _holdfast holdfast`

const zshScript = (places: readonly Place[]): string => `#compdef holdfast
# holdfast completion for zsh: source <(holdfast completion zsh)
_holdfast() {
  local place="" terminals="" files="" word i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    [[ $word == -- ]] && { _files; return; }
    case "$place/$word" in
      ${placePattern(places)}) place="$place/$word" ;;
    esac
  done
  case "$place:\${words[CURRENT-1]}" in
${valueCases(places, (words) => `compadd -- ${words.join(' ')}`, '_files -/')}
  esac
  case "$place" in
${placeCases(places)}
  esac
  if [[ -n $terminals && \${words[CURRENT]} != -* ]]; then
    candidates+=(\${(f)"$(${LIST_TERMINALS})"})
  fi
  [[ -n $files ]] && _files
  compadd -a candidates
}
compdef _holdfast holdfast`

function fishScript(verbs: readonly Verb[]): string {
  const lines = [
    '# holdfast completion for fish: holdfast completion fish | source',
    `function __holdfast_terminals\n  ${LIST_TERMINALS}\nend`,
    'complete -c holdfast -f',
    ...verbs.map(({ name, summary }) => `complete -c holdfast -n __fish_use_subcommand -a ${name} -d ${fishText(summary)}`),
    `complete -c holdfast -n __fish_use_subcommand -l no-open -d ${fishText('print the address without opening a browser')}`,
    `complete -c holdfast -s h -l help -d ${fishText('show help')}`,
    ...verbs.flatMap((verb) => fishVerb(verb, `__fish_seen_subcommand_from ${verb.name}`)),
  ]
  return lines.join('\n')
}

function fishVerb(verb: Verb, condition: string): string[] {
  const children = shownVerbs(verb)
  const names = children.map(({ name }) => name).join(' ')
  const when = `-n '${condition}'`
  return [
    ...children.map(
      ({ name, summary }) =>
        `complete -c holdfast -n '${condition}; and not __fish_seen_subcommand_from ${names}' -a ${name} -d ${fishText(summary)}`,
    ),
    ...optionsOf(verb).map((option) => `complete -c holdfast ${when} ${fishOption(option)}`),
    ...(namesTerminals({ path: '', verb }) ? [`complete -c holdfast ${when} -a '(__holdfast_terminals)'`] : []),
    ...(Array.isArray(verb.completes) && verb.completes.length > 0
      ? [`complete -c holdfast ${when} -a '${verb.completes.join(' ')}'`]
      : []),
    ...(verb.completes === 'file' ? [`complete -c holdfast ${when} -F`] : []),
    ...children.flatMap((child) => fishVerb(child, `${condition}; and __fish_seen_subcommand_from ${child.name}`)),
  ]
}

function fishOption(option: Option): string {
  const short = shortFlag(option)
  const values =
    option.choices !== undefined
      ? ` -x -a '${option.choices.join(' ')}'`
      : longFlag(option) === '--cwd'
        ? ` -x -a '(__fish_complete_directories)'`
        : takesValue(option)
          ? ' -x'
          : ''
  return `${short === '' ? '' : `-s ${short} `}-l ${longFlag(option).slice(2)}${values} -d ${fishText(option.help)}`
}

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
