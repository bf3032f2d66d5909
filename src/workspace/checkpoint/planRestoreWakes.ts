import { baseName } from '../../agents/program.ts'
import type { TerminalId } from '../../base/ids.ts'
import type { Terminal, WakeMode } from '../terminal/terminal.ts'
import type { CheckpointTerminal } from './checkpoint.ts'

/**
 * Which terminals a restore wakes, in which order. Nothing wakes unless the user's policy or a word about this very
 * terminal says so, and only what had a program at the checkpoint. The last viewed terminal comes first.
 */
export const WAKE_POLICIES = ['manual', 'shells', 'agents', 'all'] as const
type WakePolicy = (typeof WAKE_POLICIES)[number]
export type RestorePolicy = {
  readonly wake: WakePolicy
  /** What the user said about one terminal wins over the policy. */
  readonly overrides?: Readonly<Record<TerminalId, 'wake' | 'sleep'>>
  /** Agents that start all at once starve each other. */
  readonly staggerMs: number
  /** At most so many are woken; the others stay asleep, and the plan says so. */
  readonly cap: number
}

export const USUAL_POLICY: RestorePolicy = { wake: 'manual', staggerMs: 500, cap: 20 }

export type Wake = { readonly id: TerminalId; readonly mode: WakeMode; readonly afterMs: number; readonly why: string }
export type NotWoken = { readonly id: TerminalId; readonly why: string }
export type Wakes = { readonly wakes: readonly Wake[]; readonly notWoken: readonly NotWoken[] }

export type WakeCandidate = { readonly entry: CheckpointTerminal; readonly isCwdMissing: boolean }

type Kind = 'shell' | 'agent' | 'program'
type Verdict = { readonly id: TerminalId; readonly kind: Kind; readonly why: string; readonly wakes: boolean }

/** `candidates` are those that will be asleep, in dock order. */
export function planWakes(
  candidates: readonly WakeCandidate[],
  { policy, focused }: { readonly policy: RestorePolicy; readonly focused: TerminalId | null },
): Wakes {
  const verdicts = candidates.map((candidate) => judge(candidate, policy))
  const chosen = focusedFirst(
    verdicts.filter(({ wakes }) => wakes),
    focused,
  )
  const wakes = chosen
    .slice(0, policy.cap)
    .map(({ id, kind, why }, index): Wake => ({ id, mode: kind === 'shell' ? 'fresh' : 'resume', afterMs: index * policy.staggerMs, why }))
  const beyond = chosen.slice(policy.cap).map(({ id }): NotWoken => ({ id, why: `at most ${policy.cap} are woken` }))
  const others = verdicts.filter((verdict) => !verdict.wakes).map(({ id, why }): NotWoken => ({ id, why }))
  return { wakes, notWoken: [...beyond, ...others] }
}

function focusedFirst(verdicts: readonly Verdict[], focused: TerminalId | null): readonly Verdict[] {
  return [...verdicts.filter(({ id }) => id === focused), ...verdicts.filter(({ id }) => id !== focused)]
}

function judge({ entry, isCwdMissing }: WakeCandidate, { wake, overrides }: RestorePolicy): Verdict {
  const { id } = entry.terminal
  const kind = kindOf(entry)
  const said = overrides !== undefined && Object.hasOwn(overrides, id) ? overrides[id] : undefined
  const verdict = (wakes: boolean, why: string): Verdict => ({ id, kind, wakes, why })
  if (entry.terminal.imported !== undefined) return verdict(false, 'it was imported, and its command is not confirmed')
  if (said === 'sleep') return verdict(false, 'it is set to stay asleep')
  if (isCwdMissing) return verdict(false, 'its directory does not exist')
  if (said === 'wake') return verdict(true, 'it is set to be woken')
  if (!hadProgram(entry.terminal)) return verdict(false, 'it had no running program')
  return covers(wake, kind) ? verdict(true, `the policy wakes ${wake === 'all' ? 'all' : wake}`) : verdict(false, `the policy is ${wake}`)
}

/** A terminal that a crash put to sleep had a program, as far as its user is concerned. */
const hadProgram = (terminal: Terminal): boolean =>
  terminal.state === 'asleep' ? terminal.because.kind === 'lost' : terminal.state !== 'settling'

function covers(policy: WakePolicy, kind: Kind): boolean {
  switch (policy) {
    case 'manual':
      return false
    case 'shells':
      return kind === 'shell'
    case 'agents':
      return kind === 'agent'
    case 'all':
      return true
  }
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'fish', 'dash', 'ash', 'ksh', 'mksh', 'tcsh', 'csh', 'nu', 'elvish', 'xonsh', 'pwsh'])
const INTERACTIVE = /^(?:-[il]{1,2}|--login|--interactive)$/

function kindOf({ terminal, agent }: CheckpointTerminal): Kind {
  const seen = terminal.state === 'live' ? terminal.agent : null
  if (!wantsShell(terminal) || agent !== null || seen !== null) return 'agent'
  if (isShell(terminal)) return 'shell'
  return terminal.restore.kind === 'unknown' ? 'agent' : 'program'
}

/** There is no conversation to resume: none is known, or the user has left it. */
const wantsShell = ({ restore: { kind } }: Pick<Terminal, 'restore'>): boolean => kind !== 'conversation'

/** A shell with a script is a program like any other: starting it again may not be wanted. */
export const isShell = ({ spec: { command, args }, ...terminal }: Terminal): boolean =>
  wantsShell(terminal) && SHELLS.has(baseName(command).replace(/^-/, '')) && args.every((arg) => INTERACTIVE.test(arg))
