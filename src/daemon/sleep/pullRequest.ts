/**
 * Asks GitHub's own `gh`, where the user allows it, for the pull request of a branch. `gh` may be missing, not logged in, or wait for the
 * network: then there is no answer, after a moment. It never prompts, and the git that it runs is guarded as ours is.
 */
import { isWebAddress } from '../../base/webAddress.ts'
import type { PullRequest } from '../../workspace/terminal/terminal.ts'
import { MAX_TITLE_LENGTH, safeText } from '../../workspace/text.ts'
import { runBounded } from '../places/bounded.ts'
import type { Repository } from '../places/findRepository.ts'
import { overridesIn } from '../places/git.ts'
import { gitEnvironment, type Override } from '../places/gitGuard.ts'
import { Patience } from '../places/patience.ts'

const WITHIN_MS = 1_500
const MOST_OUTPUT_BYTES = 1 << 20
const QUESTION = ['pr', 'view', '--json', 'number,title,url,state']

/** Whatever takes longer has been ended by then. */
const PATIENCE = new Patience({ withinMs: WITHIN_MS + 200, mostOpen: 4 })

export async function pullRequestOf(directory: string, env: NodeJS.ProcessEnv = process.env): Promise<PullRequest | null> {
  const asked = await PATIENCE.ask(() => askGh(directory, env))
  return asked.kind === 'answer' && asked.value !== null ? pullRequestIn(asked.value) : null
}

async function askGh(cwd: string, own: NodeJS.ProcessEnv): Promise<string | null> {
  const begun = performance.now()
  const overrides = await overridesIn([cwd], 'look')
  const withinMs = Math.round(WITHIN_MS - (performance.now() - begun))
  if (!overrides.ok || withinMs <= 0) return null
  const env = { ...gitEnvironment(own, 'look'), ...asEnvironment(overrides.value), ...QUIET }
  const ran = await runBounded('gh', QUESTION, { cwd, env, withinMs, mostBytes: MOST_OUTPUT_BYTES })
  return ran.kind === 'ended' && ran.code === 0 ? ran.output : null
}

const QUIET = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', GH_NO_EXTENSION_UPDATE_NOTIFIER: '1', GH_PAGER: 'cat', NO_COLOR: '1' }

/** For the git that `gh` starts (2.31 or newer). */
const asEnvironment = (overrides: readonly Override[]): NodeJS.ProcessEnv => ({
  GIT_CONFIG_COUNT: String(overrides.length),
  ...Object.fromEntries(
    overrides.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
})

/** A branch is asked about once in this time, whatever the answer was. */
const AGAIN_AFTER_MS = 10 * 60_000
/** Of all branches together, in the same time. */
const MOST_ASKED = 30

/** Remembers the answers, so that many terminals on many branches do not cause as many network calls. */
export class PullRequests {
  private readonly asked = new Map<string, { readonly at: number; readonly answer: Promise<PullRequest | null> }>()

  constructor(
    private readonly ask: (directory: string) => Promise<PullRequest | null> = pullRequestOf,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Null where there is none, and where too many were asked about just now. */
  of({ top, view }: Pick<Repository, 'top' | 'view'>): Promise<PullRequest | null> {
    const now = this.now()
    for (const [branch, { at }] of this.asked) if (now - at >= AGAIN_AFTER_MS) this.asked.delete(branch)
    const branch = `${view.root}\0${view.branch}`
    const known = this.asked.get(branch)
    if (known !== undefined) return known.answer
    if (this.asked.size >= MOST_ASKED) return Promise.resolve(null)
    const answer = this.ask(top)
    this.asked.set(branch, { at: now, answer })
    return answer
  }
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
