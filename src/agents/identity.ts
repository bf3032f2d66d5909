/**
 * Which conversation a terminal has. One conversation belongs to one terminal; what is known stays until something that is
 * at least as sure says otherwise; what cannot be told apart is not guessed. Nothing found is no news: absence ends nothing.
 */
import { type Agent, type AgentProcess, type Finding, PROVENANCES, type Provenance } from './agent.ts'
import { SLACK_MS } from './files.ts'
import { couldHaveBegun, type Moments, ownerOf } from './owner.ts'

export type Evidence = {
  readonly agent: Pick<Agent, 'idPattern'>
  /** What this process is known to have, or the resume that started it was to bring; null where nothing is. */
  readonly known: Finding | null
  readonly candidates: readonly Finding[]
  /** The ids that other terminals have. */
  readonly claimed: ReadonlySet<string>
  /** The ids that other terminals have had: the process may show one of them now, but a directory says nothing about them. */
  readonly had?: ReadonlySet<string>
  readonly process: Pick<AgentProcess, 'startedAt'>
  readonly now: number
  readonly workingSince: number | null
  /** When exactly this terminal was given something to do. */
  readonly entered?: readonly number[]
  /** Since when this terminal is watched; left out: all its moves were seen. */
  readonly seenSince?: number
  /** Other terminals with the same agent in the same directory. */
  readonly rivals: readonly Moments[]
}

type Rejection = { readonly finding: Finding; readonly why: Why }
export type Why = 'not an id' | 'has another terminal' | 'older than this run' | 'cannot be told apart' | 'not yet'
export type Decision = {
  /** `keep` has null where nothing is known; its finding may be better known than before. */
  readonly kind: 'keep' | 'bind' | 'rebind'
  readonly finding: Finding | null
  readonly rejections: readonly Rejection[]
}

export function decide(evidence: Evidence): Decision {
  const { known } = evidence
  const judged = evidence.candidates.map((finding) => ({ finding, why: faultOf(evidence, finding) }))
  const rejections = judged.flatMap(({ finding, why }) => (why === null ? [] : [{ finding, why }]))
  const chosen = judged.filter(({ why }) => why === null).map(({ finding }) => finding)
  if (known === null) {
    const found = bestOf(chosen)
    return { kind: found === null ? 'keep' : 'bind', finding: found, rejections }
  }
  const shown = bestOf(chosen.filter(({ provenance }) => SURENESS[provenance] === SHOWN))
  const next = shown ?? bestOf(chosen.filter((finding) => isBegunAfter(finding, known)))
  if (next !== null && next.id !== known.id) return { kind: 'rebind', finding: next, rejections }
  return { kind: 'keep', finding: chosen.filter(({ id }) => id === known.id).reduce(together, known), rejections }
}

const bestOf = (findings: readonly Finding[]): Finding | null =>
  findings.reduce<Finding | null>((before, next) => (before === null || isBetter(next, before) ? next : before), null)

function faultOf(evidence: Evidence, finding: Finding): Why | null {
  if (!evidence.agent.idPattern.test(finding.id)) return 'not an id'
  if (finding.began !== null && finding.began > evidence.now + SLACK_MS) return 'not yet'
  if (evidence.claimed.has(finding.id)) return 'has another terminal'
  return finding.provenance === 'store' && finding.id !== evidence.known?.id ? faultOfStored(evidence, finding) : null
}

/** What merely lies in the directory is ours only if it began in this run, and no other terminal can have begun it. */
function faultOfStored(evidence: Evidence, finding: Finding): Why | null {
  const { process, workingSince, known } = evidence
  if (finding.began === null) return 'cannot be told apart'
  if (finding.began < process.startedAt - SLACK_MS) return 'older than this run'
  if (evidence.had?.has(finding.id) === true) return 'has another terminal'
  // Input was not observed then: a terminal that no longer exists may have begun it.
  const { seenSince = 0 } = evidence
  if ((finding.asked ?? finding.began) < seenSince) return 'cannot be told apart'
  const open = evidence.candidates.flatMap((candidate) =>
    isOpen(evidence, candidate) ? [{ ...candidate, began: candidate.began ?? 0 }] : [],
  )
  const { began } = finding
  const rivals = evidence.rivals.filter((rival) => couldHaveBegun(rival, began))
  if (known === null && rivals.length === 0 && new Set(open.map(({ id }) => id)).size === 1) return null
  const hasSince = known === null ? null : (known.began ?? process.startedAt)
  const mine: Moments = { startedAt: process.startedAt, workingSince, hasSince, entered: evidence.entered ?? [], seenSince }
  return ownerOf({ ...finding, began }, open, [mine, ...rivals]) === mine ? null : 'cannot be told apart'
}

const isOpen = ({ agent, known, claimed, had }: Evidence, { id, provenance, began }: Finding): boolean =>
  provenance === 'store' && began !== null && id !== known?.id && !claimed.has(id) && had?.has(id) !== true && agent.idPattern.test(id)

/** What the process itself shows now, before what it was started with, before what merely lies there. */
const SHOWN = 3
const SURENESS: Readonly<Record<Provenance, number>> = {
  hook: SHOWN,
  registration: SHOWN,
  'open-file': SHOWN,
  printed: SHOWN,
  user: 2,
  assigned: 2,
  store: 1,
  latest: 0,
}

const rank = ({ provenance }: Finding): number => PROVENANCES.indexOf(provenance)

/** Of two equally sure findings the one from the better source, then the newest: the others were left for it. */
function isBetter(next: Finding, before: Finding): boolean {
  const sureness = SURENESS[next.provenance] - SURENESS[before.provenance]
  if (sureness !== 0) return sureness > 0
  if (next.provenance !== before.provenance) return rank(next) < rank(before)
  return (next.began ?? 0) > (before.began ?? 0)
}

/** In the place of a known one: what it was started with is no news, and the newest of a directory is none at all. */
const isBegunAfter = ({ id, provenance, began }: Finding, known: Finding): boolean =>
  provenance === 'store' && id !== known.id && began !== null && (known.began === null || began > known.began)

const usedLast = ({ used: before = 0 }: Finding, { used = before }: Finding): Pick<Finding, 'used'> => (used === 0 ? {} : { used })

/** A command line that names what is known already may be our own resume: it says nothing about the original source. */
function together(known: Finding, found: Finding): Finding {
  return {
    id: known.id,
    provenance: rank(known) <= rank(found) || found.provenance === 'user' ? known.provenance : found.provenance,
    transcript: found.transcript ?? known.transcript,
    began: known.began ?? found.began,
    ...usedLast(known, found),
  }
}
