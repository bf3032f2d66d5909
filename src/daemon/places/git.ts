/** Asks git: an argv, never a shell; no question to anybody, no settings of whoever started the daemon, and not for ever. */
import { execFile } from 'node:child_process'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'

const ANSWER_WITHIN_MS = 10_000
const MOST_OUTPUT_BYTES = 8 << 20
/** A constant line; what differs are its arguments, which no shell reads. */
const MASKED = 'umask "$0" && exec git "$@"'
/** What a shell ends with that does not find the program. */
const NOT_FOUND = 127

export type GitOptions = {
  readonly cwd: string
  readonly withinMs?: number
  /** For files that are the user's: the daemon's own mask is stricter. */
  readonly umask?: number
}
/** `said` is what it had to say on the way, `code` how it ended. */
export type GitAnswer = { readonly code: number; readonly output: string; readonly said: string }

/** Refused where git cannot be started or takes too long; what it says itself is for the caller to judge. */
export function askGit(args: readonly string[], { cwd, withinMs = ANSWER_WITHIN_MS, umask }: GitOptions): Promise<Result<GitAnswer>> {
  const [program, ...words] = umask === undefined ? ['git'] : ['/bin/sh', '-c', MASKED, umask.toString(8)]
  const options = { cwd, env: environment(process.env), timeout: withinMs, maxBuffer: MOST_OUTPUT_BYTES, encoding: 'utf8' } as const
  return new Promise((resolve) => {
    const child = execFile(program ?? 'git', [...words, ...ALWAYS, ...args], options, (error, output, said) => {
      if (error === null) return resolve(done({ code: 0, output, said }))
      if (error.code === 'ENOENT' || (umask !== undefined && Number(error.code) === NOT_FOUND))
        return resolve(refused(refusals.gitMissing()))
      if (typeof error.code === 'number') return resolve(done({ code: error.code, output, said }))
      resolve(refused(refusals.gitFailed(args[0] ?? '', error.killed === true ? 'it took too long' : error.message)))
    })
    child.stdin?.end()
  })
}

/** A repository may name a program that is to be run whenever somebody looks at it; a look of ours runs none. */
const ALWAYS = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false']

function environment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(own).filter(([name]) => !name.startsWith('GIT_'))
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true', SSH_ASKPASS: 'true', LC_ALL: 'C' }
}

/** As `askGit`, refused with its own words where it says no. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<Result<string>> {
  const answer = await askGit(args, options)
  if (!answer.ok) return answer
  const { code, output, said } = answer.value
  return code === 0 ? done(output) : refused(refusals.gitFailed(args[0] ?? '', reasonIn(said) || `it ended with ${code}`))
}

/** The last complaint, without what git puts before it. */
export function reasonIn(said: string): string {
  const lines = said.split('\n').filter((line) => /^(fatal|error): /.test(line))
  return (lines.at(-1) ?? '').replace(/^(fatal|error): /, '').replace(/\.$/, '')
}
