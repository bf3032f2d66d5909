import { done, type Result, refusals, refused } from '../../base/refusal.ts'

/** People name things by id, by name, or by the beginning of an id; the exact ones win. */
type Named = { readonly id: string; readonly name: string | null }

const MOST_MATCHES_SHOWN = 5 // a sentence, not a listing

export function findTerminal<Item extends Named>(ref: string, terminals: Iterable<Item>): Result<Item> {
  const matches = matchesOf(ref, terminals)
  const [only] = matches
  if (only === undefined) return refused(refusals.terminalNotFound(ref))
  return matches.length === 1 ? done(only) : refused(refusals.terminalAmbiguous(ref, shown(matches)))
}

export function findWorkspace<Item extends Named>(ref: string, workspaces: Iterable<Item>): Result<Item> {
  const matches = matchesOf(ref, workspaces)
  const [only] = matches
  if (only === undefined) return refused(refusals.workspaceNotFound(ref))
  return matches.length === 1 ? done(only) : refused(refusals.workspaceAmbiguous(ref, shown(matches)))
}

/** Groups may share a name: of several the first is meant. */
export function findGroup<Item extends Named>(ref: string, groups: Iterable<Item>): Result<Item> {
  const [first] = matchesOf(ref, groups)
  return first === undefined ? refused(refusals.groupNotFound(ref)) : done(first)
}

function matchesOf<Item extends Named>(ref: string, items: Iterable<Item>): readonly Item[] {
  if (ref === '') return []
  const all = [...items]
  const byId = all.filter(({ id }) => id === ref)
  if (byId.length > 0) return byId
  const byName = all.filter(({ name }) => name === ref)
  return byName.length > 0 ? byName : all.filter(({ id }) => id.startsWith(ref))
}

function shown(matches: readonly Named[]): readonly string[] {
  const names = matches.slice(0, MOST_MATCHES_SHOWN).map(({ id, name }) => (name === null ? id : `${id} (${name})`))
  return matches.length > MOST_MATCHES_SHOWN ? [...names, '…'] : names
}
