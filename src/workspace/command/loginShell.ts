/**
 * How an agent is started by the user's login shell, so that PATH and everything else is as the user has it. The shell is
 * given one constant line, the same for all shells; what differs is in one variable, quoted for POSIX `sh`, which alone
 * reads it. The agent then has the keyboard as if it had been typed. When it ends, the user is left in a shell in that
 * directory, unless it failed so soon that it could not go on: then its code is the end.
 */

import { baseName } from '../../agents/program.ts'
import { utf8Encode } from '../../base/utf8.ts'
import type { Environment } from '../redact/environment.ts'

/** Read and removed before the agent is started. */
export const START_VARIABLE = 'HOLDFAST_START'

export type LoginStart = { readonly command: string; readonly args: readonly string[]; readonly env: Environment }

export type LoginOrder = {
  /** The user's shell. */
  readonly shell: string
  /** The agent and its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** Set after the shell's own start files have run: they must not win over what this very terminal needs. */
  readonly env: Environment
  /** Where else to look for the agent: the user's PATH may differ from the shell's. */
  readonly path: string
  /** Until when a failure means that the resume failed, in seconds since 1970. */
  readonly trialEnds: number
}

const LONGEST_VARIABLE = 120_000 // bytes; Linux takes 131,072 for one

/** Null where it is too long to be handed over; then it can only be started directly. */
export function loginStart(order: LoginOrder): LoginStart | null {
  const text = startText(order)
  if (utf8Encode(text).length > LONGEST_VARIABLE) return null
  return { ...wayInto(order.shell), env: { [START_VARIABLE]: text } }
}

/** In quotes that POSIX shells, fish and csh read alike; `:?` speaks up where a start file has emptied the environment. */
const EVAL = `eval "\${${START_VARIABLE}:?was removed by the start files of the shell}"`
const LINE = `exec /bin/sh -c '${EVAL}'`

/** Whether these are the arguments of such a start: they mean nothing without the variable. */
export const isLoginLine = (args: readonly string[]): boolean => args.at(-1)?.endsWith(LINE) === true

/** Whether this is the process that such a start has become, as long as the agent runs. */
export const isLoginRoot = (argv: readonly string[]): boolean => argv.join(' ').endsWith(` -c ${EVAL}`)

const POSIX = new Set(['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'yash', 'fish'])
const CSH = new Set(['csh', 'tcsh'])

/** A shell that is not known to read the line may do anything with it. */
function wayInto(shell: string): Pick<LoginStart, 'command' | 'args'> {
  const name = baseName(shell)
  if (CSH.has(name)) return { command: shell, args: ['-c', `if ( -r ~/.login ) source ~/.login; ${LINE}`] } // its -l stands alone or not at all
  return { command: POSIX.has(name) ? shell : '/bin/sh', args: ['-l', '-i', '-c', LINE] }
}

/** Between single quotes nothing means anything but the quote itself. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const isVariable = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !name.startsWith('HOLDFAST_')

function startText({ shell, argv, cwd, env, path, trialEnds }: LoginOrder): string {
  const exports = Object.entries(env).flatMap(([name, value]) => (isVariable(name) ? [`export ${name}=${quoted(value)}`] : []))
  const words = [cwd, String(Math.floor(trialEnds)), shell, path, ...argv].map(quoted)
  return [`unset ${START_VARIABLE}`, ...exports, `set -- ${words.join(' ')}`, SCRIPT].join('\n')
}

/**
 * With job control the agent is alone in its process group, so that signals to the foreground reach only the agent; a job that
 * stops itself would leave the keyboard without a reader, and is continued. What start files printed is wiped away. An agent
 * that was killed has left its modes behind: mouse, focus and paste reports, the other screen, no cursor.
 */
const SCRIPT = `
CDPATH= cd -- "$1" || exit 126
trial_ends=$2 shell=$3 path=$4
shift 4
command -v -- "$1" >/dev/null 2>&1 || PATH=$PATH:$path
if ! command -v -- "$1" >/dev/null 2>&1; then
  printf '%s was not found: it is not in the PATH of your login shell (%s)\\n' "$1" "$shell" >&2
  exit 127
fi
printf '\\033[0m\\033[H\\033[2J'
set -m
trap : INT QUIT
"$@"
code=$?
while [ "$code" -ge 145 ] && [ "$code" -le 150 ] && jobs %% >/dev/null 2>&1; do
  fg %% >/dev/null
  code=$?
done
set +m
trap - INT QUIT
if [ "$code" -ne 0 ]; then
  if [ "$(date +%s)" -lt "$trial_ends" ]; then exit "$code"; fi
  stty sane 2>/dev/null
  printf '\\033[?1047l\\033[?1000l\\033[?1002l\\033[?1003l\\033[?1004l\\033[?1006l\\033[?2004l\\033[?25h\\033[0m\\r'
fi
unset code trial_ends path
command -v -- "$shell" >/dev/null 2>&1 || shell=/bin/sh
exec "$shell"
`
