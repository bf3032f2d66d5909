/** What the files of several agents have in common. */
import type { FileSight, Finding, Look, PlaceLook, Provenance, SelfName, Transcript } from './agent.ts'
import type { AgentState, StateReport, StateSource } from './state.ts'

export const TAIL_BYTES = 256 << 10 // holds the newest entries; a whole transcript can be hundreds of megabytes
export const HEAD_BYTES = 16 << 10 // what a transcript says about itself stands in its first line
export const SLACK_MS = 2_000 // by which the clocks of files and of processes may differ

export const beganInRun = (began: number, { process }: Pick<Look, 'process'>): boolean => began >= process.startedAt - SLACK_MS

/** How a file of an agent names a process; null where it does not tell. */
type Told = { readonly pid: number | null; readonly start: string | null; readonly space: string | null }

/**
 * Whether a file means this very process. What it tells must be true; inside a sandbox it must tell everything, because
 * its number alone, or its number and its start, may be those of a process in another sandbox that has the same home.
 */
export function isSelf(self: SelfName, told: Told): boolean {
  if (told.pid !== self.pid) return false
  const agreements = [agreement(told.start, self.start), agreement(told.space, self.space)]
  return self.isInside ? agreements.every((one) => one === true) : !agreements.includes(false)
}

/** Null where one of them is unknown or no number: a date can be written in several ways. */
const agreement = (told: string | null, seen: string | null): boolean | null =>
  [told, seen].every((text) => text !== null && /^\d+$/.test(text)) ? told === seen : null

/** The directory as the agent knows it: some follow symbolic links first. */
export async function spellingsOf(look: PlaceLook): Promise<readonly string[]> {
  return [...new Set([look.cwd, await look.real(look.cwd)])]
}

/** The first of these paths that is a file. */
export async function firstFile(look: PlaceLook, paths: readonly string[]): Promise<FileSight | null> {
  for (const path of paths) {
    const found = await look.stat(path)
    if (found !== null && !found.isDirectory) return found
  }
  return null
}

export const transcriptAt = (path: string | null): Transcript => (path === null ? { kind: 'gone' } : { kind: 'there', path })

export async function pathOf(look: PlaceLook, id: string, transcript: (look: PlaceLook, id: string) => Promise<Transcript>) {
  const found = await transcript(look, id)
  return found.kind === 'there' ? found.path : null
}

type Shown = Pick<Finding, 'id' | 'transcript'>

/** What the process itself shows. Of several conversations none is certain: they are reported as what cannot be told apart. */
export function registered(shown: readonly Shown[]): readonly Finding[] {
  const each = [...new Map(shown.map((one) => [one.id, one])).values()]
  const provenance: Provenance = each.length === 1 ? 'registration' : 'store'
  return each.map(({ id, transcript }) => ({ id, provenance, transcript, began: null }))
}

type Said = { readonly wants?: StateReport['wants']; readonly words?: string | null }

export const report = (source: StateSource, state: AgentState, at: number, { wants = null, words = null }: Said = {}): StateReport => ({
  source,
  state,
  wants,
  words,
  at,
})

/** When a conversation began whose id is a UUID of version 7, in ms; null for other ids. */
export function bornOfId(id: string): number | null {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(id) ?? []
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16)
}

type Times = Pick<Finding, 'asked' | 'used'>

export const stored = (id: string, began: number, transcript: string | null, times: Times = {}): Finding => ({
  ...{ id, provenance: 'store', transcript, began },
  ...times,
})

/** What ids of conversations look like, where several agents make them alike. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** As opencode and its descendants number their conversations. */
export const SES = /^ses_[0-9A-Za-z]{8,64}$/
