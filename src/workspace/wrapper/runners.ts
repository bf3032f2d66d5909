/** Programs that run an agent by the name of its package: the agent's own name may be nowhere in their command line. */
import type { Agent } from '../../agents/agent.ts'
import { baseName, scriptOf } from '../../agents/program.ts'

type Runner = {
  readonly name: string
  /** The words that must follow it, such as `exec`. */
  readonly verbs: readonly string[]
  /** Options of the agent must stand behind `--`. */
  readonly needsDashes: boolean
}

const runner = (line: string, needsDashes = false): Runner => {
  const [name = '', ...verbs] = line.split(' ')
  return { name, verbs, needsDashes }
}

const RUNNERS: readonly Runner[] = [
  ...['npx', 'pnpx', 'bunx', 'uvx', 'bun x', 'pnpm dlx', 'yarn dlx', 'uv tool run', 'uv tool uvx', 'pipx run'].map((line) => runner(line)),
  ...['npm exec', 'npm x', 'nix run'].map((line) => runner(line, true)),
]

/** Its words up to the agent's arguments; null where it is no such runner, or the arguments are not at its end. */
export function runnerBefore(argv: readonly string[], args: readonly string[]): readonly string[] | null {
  const start = scriptOf(argv)?.at ?? 0
  const own = argv.slice(start + 1)
  const name = baseName(argv[start] ?? '')
  const found = RUNNERS.find(({ name: known, verbs }) => known === name && verbs.every((verb, at) => own[at] === verb))
  if (found === undefined || own.length - found.verbs.length < args.length + 1) return null
  const at = argv.length - args.length
  if (!args.every((word, index) => argv[at + index] === word)) return null
  const before = argv.slice(0, at)
  const last = before.at(-1) ?? ''
  if (last === '--') return before
  if (last.startsWith('-')) return null // the package is not there: an option is
  return found.needsDashes && !before.includes('--') ? [...before, '--'] : before
}

/** Options of `npx` that npm tells the programs that it runs, by the variable. Those of a list are divided by empty lines. */
const NPX_OPTIONS: Readonly<Record<string, { readonly flag: string; readonly takes: 'none' | 'one' | 'many' }>> = {
  npm_config_yes: { flag: '--yes', takes: 'none' },
  npm_config_package: { flag: '--package', takes: 'many' },
  npm_config_registry: { flag: '--registry', takes: 'one' },
  npm_config_workspace: { flag: '--workspace', takes: 'many' },
  npm_config_offline: { flag: '--offline', takes: 'none' },
  npm_config_prefer_offline: { flag: '--prefer-offline', takes: 'none' },
  npm_config_ignore_scripts: { flag: '--ignore-scripts', takes: 'none' },
}
/** The text of a shell, which is not a command line. */
const CALL = 'npm_config_call'

export const NPM_NAMES: readonly string[] = [...Object.keys(NPX_OPTIONS), CALL]

function npxOptions(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(NPX_OPTIONS).flatMap(([name, { flag, takes }]) => {
    const value = env[name] ?? ''
    if (value === '') return []
    if (takes === 'none') return value === 'true' ? [flag] : []
    return (takes === 'many' ? value.split('\n\n') : [value]).map((one) => `${flag}=${one}`)
  })
}

const NPM_TITLE = 'npm exec '
/** npm blackens what looks like a key, and takes the ids of conversations for such. */
const KEY = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi

type Npx = { readonly argv: readonly string[]; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }

/**
 * `npx` writes a title over its command line; of its own options only those that it hands on are known. What follows the name
 * of the package, or of the command in it, must be exactly what the agent was given.
 */
export function npxBefore({ argv, args, env }: Npx): readonly string[] | null {
  const title = argv.filter((word, at) => at === 0 || word !== '').join('\0')
  if (!title.startsWith(NPM_TITLE) || env[CALL]) return null
  const rest = title.slice(NPM_TITLE.length)
  const given = args.length === 0 ? '' : ` ${args.join(' ')}`
  const ending = [given, given.replace(KEY, '***')].find((text) => rest.endsWith(text))
  if (ending === undefined) return null
  const name = rest.slice(0, rest.length - ending.length)
  return /^[@\w][\w@./~^-]*$/.test(name) ? ['npx', ...npxOptions(env), name] : null
}

/** Whether a word of a command line names the agent. */
export function namesAgent({ recognise: { names, paths } }: Pick<Agent, 'recognise'>, word: string): boolean {
  return names.includes(baseName(word).replace(/\.exe$/, '')) || paths.some((part) => word.includes(part))
}
