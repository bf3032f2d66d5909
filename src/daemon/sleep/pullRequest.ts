/**
 * Asks GitHub's own `gh`, where it is installed, for the pull request of a branch. It may not be there, not be logged in, or
 * wait for a network: then there is none, after a moment. It is never asked for anything that it would have to ask back.
 */
import { execFile } from 'node:child_process'
import { isWebAddress } from '../../base/webAddress.ts'
import type { PullRequest } from '../../workspace/terminal.ts'
import { MAX_TITLE_LENGTH, safeText } from '../../workspace/text.ts'
import { Patience } from '../places/patience.ts'

const WITHIN_MS = 1_500
const MOST_OUTPUT_BYTES = 1 << 20
/** The shell goes there, not the daemon: a directory that does not answer holds up whoever enters it. */
const LINE = 'cd -- "$0" && exec gh "$@"'
const QUESTION = ['pr', 'view', '--json', 'number,title,url,state']

const PATIENCE = new Patience({ withinMs: WITHIN_MS, mostOpen: 4 })

export async function pullRequestOf(directory: string, env: NodeJS.ProcessEnv = process.env): Promise<PullRequest | null> {
  const asked = await PATIENCE.ask(() => askGh(directory, env))
  return asked.kind === 'answer' && asked.value !== null ? pullRequestIn(asked.value) : null
}

function askGh(directory: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const options = {
    cwd: '/',
    env: environment(env),
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT_BYTES,
  } as const
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', LINE, directory, ...QUESTION], options, (error, output) =>
      resolve(error === null ? output : null),
    )
    child.stdin?.end()
  })
}

/** What whoever started the daemon had set for git is not about this directory. */
function environment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(own).filter(([name]) => !name.startsWith('GIT_'))
  const quiet = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true', SSH_ASKPASS: 'true' }
  return { ...Object.fromEntries(kept), ...quiet, NO_COLOR: '1' }
}

/** Null for what is no pull request; its texts are others' and are kept only as far as they are harmless. */
export function pullRequestIn(output: string): PullRequest | null {
  const found = parsed(output)
  if (typeof found !== 'object' || found === null) return null
  const { number, title, url, state } = found as Readonly<Record<string, unknown>>
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || typeof title !== 'string') return null
  if (typeof url !== 'string' || !isWebAddress(url) || typeof state !== 'string') return null
  return { number, title: safeText(title, MAX_TITLE_LENGTH), url, state: safeText(state, LONGEST_STATE) }
}

const LONGEST_STATE = 32 // characters

function parsed(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return null
  }
}
