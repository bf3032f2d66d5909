/**
 * The only place that starts git: with an argv, without prompts, bounded in time and output, and without running anything that the
 * repository names.
 */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { type Ran, runBounded } from './bounded.ts'
import { type GitSetting, type GuardKind, gitEnvironment, guardFor, type Override, parseSettings } from './gitGuard.ts'

const ANSWER_WITHIN_MS = 10_000
const MOST_OUTPUT_BYTES = 8 << 20

export type GitOptions = {
  readonly cwd: string
  readonly withinMs?: number
  readonly umask?: number
  /** `trusted`: an action the user asked for, in a repository the user trusts. git runs as in the user's own shell. */
  readonly as?: GuardKind | 'trusted'
  /** A second directory in which git reads the configuration, such as the worktree it is to remove. */
  readonly alsoIn?: string
}
/** `said` is what it had to say on the way, `code` how it ended. */
export type GitAnswer = { readonly code: number; readonly output: string; readonly said: string }

/** Refused where git cannot be started or takes too long; what it says itself is for the caller to judge. */
export async function askGit(args: readonly string[], options: GitOptions): Promise<Result<GitAnswer>> {
  const { cwd, withinMs = ANSWER_WITHIN_MS, umask, as = 'look', alsoIn } = options
  const overrides = as === 'trusted' ? done(QUOTING) : await overridesIn([cwd, ...(alsoIn === undefined ? [] : [alsoIn])], as)
  if (!overrides.ok) return overrides
  const words = overrides.value.flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const env = gitEnvironment(process.env, as)
  return answerIn(await runBounded('git', [...words, ...args], { cwd, env, withinMs, mostBytes: MOST_OUTPUT_BYTES, umask }), args)
}

const QUOTING: readonly Override[] = [['core.quotePath', 'false']]

/** Listed for every call, because the configuration may change at any time. Listing it runs nothing. */
export async function overridesIn(directories: readonly string[], kind: GuardKind): Promise<Result<readonly Override[]>> {
  const settings: GitSetting[] = []
  for (const cwd of directories) {
    const bounds = { cwd, env: gitEnvironment(process.env, kind), withinMs: ANSWER_WITHIN_MS, mostBytes: MOST_OUTPUT_BYTES }
    const listed = answerIn(await runBounded('git', LIST, bounds), LIST)
    if (!listed.ok) return listed
    const { code, output, said } = listed.value
    if (code !== 0) return refused(refusals.gitFailed('config', reasonIn(said) || `it ended with ${code}`))
    settings.push(...parseSettings(output))
  }
  const guard = guardFor(settings, kind)
  return guard.ok ? done(guard.overrides) : refused(refusals.gitFailed('config', guard.why))
}

const LIST = ['config', '--null', '--list', '--show-scope']

function answerIn(ran: Ran, [command = '']: readonly string[]): Result<GitAnswer> {
  switch (ran.kind) {
    case 'ended':
      return done(ran)
    case 'missing':
      return refused(refusals.gitMissing())
    case 'failed':
      return refused(refusals.gitFailed(command, ran.why))
  }
}

/** As `askGit`, refused with its own words where it says no. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<Result<string>> {
  const answer = await askGit(args, options)
  if (!answer.ok) return answer
  const { code, output, said } = answer.value
  return code === 0 ? done(output) : refused(refusals.gitFailed(args[0] ?? '', reasonIn(said) || `it ended with ${code}`))
}

/** The last complaint, without what git puts before it. */
function reasonIn(said: string): string {
  const lines = said.split('\n').filter((line) => /^(fatal|error): /.test(line))
  return (lines.at(-1) ?? '').replace(/^(fatal|error): /, '').replace(/\.$/, '')
}
