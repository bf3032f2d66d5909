/**
 * What the daemon has promised. Every answer narrows it to one possibility; a request that was under way when somebody
 * died leaves two. Nothing may be found afterwards that is not in here.
 */
export type Fate = 'live' | 'slept' | 'lost' | 'exited' | 'failed'

export type Expected = {
  /** Null while its making is unanswered: then it is known by its name. */
  id: string | null
  /** What its program prints. */
  readonly token: string
  names: readonly (string | null)[]
  /** Ids of workspaces. */
  places: readonly string[]
  fates: readonly Fate[]
  exists: 'yes' | 'maybe' | 'no'
  run: string | null
  /** This round may give it another run. */
  mayRunAnew: boolean
  /** This round may put it somewhere else: its neighbours are not compared. */
  mayMove: boolean
  /** Of which run the token was last seen on the screen, and when. */
  shown: { readonly run: string; readonly at: number } | null
  /** The run whose log a power cut has damaged before it was promised: nobody owes it. */
  torn: string | null
}

export type ExpectedWorkspace = { id: string | null; names: readonly string[]; exists: 'yes' | 'maybe' | 'no' }

export type Model = {
  terminals: Expected[]
  workspaces: ExpectedWorkspace[]
  /** Those that were asked for and answered, newest last. */
  checkpoints: string[]
  /** Numbers for tokens and names: none is used twice. */
  counter: number
  /** Who is asked to begin or to end in this round, to whom nothing else of this kind is asked. */
  readonly busy: Set<Expected>
  /** Workspaces that are asked to go in this round: nothing is sent there. */
  readonly leaving: Set<ExpectedWorkspace>
}

export const emptyModel = (): Model => ({ terminals: [], workspaces: [], checkpoints: [], counter: 0, busy: new Set(), leaving: new Set() })

export const together = <Value>(a: readonly Value[], b: readonly Value[]): readonly Value[] => [...new Set([...a, ...b])]

export const certain = ({ terminals }: Model): readonly Expected[] => terminals.filter(({ id, exists }) => id !== null && exists === 'yes')
export const fateOf = ({ fates }: Expected): Fate | null => (fates.length === 1 ? (fates[0] ?? null) : null)
export const certainWorkspaces = ({ workspaces }: Model): readonly (ExpectedWorkspace & { readonly id: string })[] =>
  workspaces.filter((each): each is ExpectedWorkspace & { id: string } => each.id !== null && each.exists === 'yes')

/** Its holder was killed: what ran is lost. What ended by itself just now may not have been written down yet. */
export function loseRun({ busy }: Model, expected: Expected): void {
  const { fates } = expected
  const others: readonly Fate[] = fates.filter((fate) => fate !== 'live')
  if (fates.includes('live') || (busy.has(expected) && fates.includes('exited'))) expected.fates = together(others, ['lost'])
}

export type Seen = {
  readonly id: string
  readonly name: string | null
  readonly fate: Fate
  readonly place: string
  readonly run: string | null
}
type SeenWorkspace = { readonly id: string; readonly name: string; readonly terminals: readonly string[] }
export type Sight = { readonly terminals: readonly Seen[]; readonly workspaces: readonly SeenWorkspace[] }

/** Sentences about what is not as promised; the model is what was seen from then on. */
export function compare(model: Model, before: Sight, after: Sight): string[] {
  const faults: string[] = []
  const unclaimed = new Map(after.terminals.map((seen) => [seen.id, seen]))
  for (const expected of model.terminals) {
    const seen = claim(expected, unclaimed)
    faults.push(...terminalFaults(expected, seen))
    settle(expected, seen)
  }
  for (const { id, name } of unclaimed.values()) faults.push(`terminal ${id} (${name}) was never asked for`)
  faults.push(...compareWorkspaces(model, after), ...orderFaults(model, before, after))
  model.terminals = model.terminals.filter(({ exists }) => exists === 'yes')
  for (const expected of model.terminals) Object.assign(expected, { mayRunAnew: false, mayMove: false })
  model.busy.clear()
  model.leaving.clear()
  return faults
}

function claim(expected: Expected, unclaimed: Map<string, Seen>): Seen | null {
  const seen =
    expected.id === null
      ? [...unclaimed.values()].find(({ name }) => name !== null && expected.names.includes(name))
      : unclaimed.get(expected.id)
  if (seen === undefined) return null
  unclaimed.delete(seen.id)
  return seen
}

function terminalFaults(expected: Expected, seen: Seen | null): string[] {
  const who = `terminal ${expected.id ?? expected.names[0]}`
  if (seen === null) return expected.exists === 'yes' ? [`${who} is lost`] : []
  if (expected.exists === 'no') return [`${who} is back`]
  return [
    expected.names.includes(seen.name) ? null : `${who} is called ${seen.name}, not ${expected.names.join(' or ')}`,
    expected.places.includes(seen.place) ? null : `${who} is in workspace ${seen.place}, not ${expected.places.join(' or ')}`,
    expected.fates.includes(seen.fate) ? null : `${who} is ${seen.fate}, not ${expected.fates.join(' or ')}`,
    expected.run === null || expected.mayRunAnew || expected.run === seen.run ? null : `${who} has run ${seen.run}, not ${expected.run}`,
  ].filter((fault) => fault !== null)
}

function settle(expected: Expected, seen: Seen | null): void {
  if (seen === null) expected.exists = 'no'
  else Object.assign(expected, { id: seen.id, names: [seen.name], places: [seen.place], fates: [seen.fate], exists: 'yes', run: seen.run })
}

function compareWorkspaces(model: Model, { workspaces }: Sight): string[] {
  const faults: string[] = []
  const unclaimed = new Map(workspaces.map((seen) => [seen.id, seen]))
  for (const expected of model.workspaces) {
    const { id, names, exists } = expected
    const seen = id === null ? [...unclaimed.values()].find(({ name }) => names.includes(name)) : unclaimed.get(id)
    if (seen === undefined && exists === 'yes') faults.push(`workspace ${id} (${names.join(' or ')}) is lost`)
    if (seen !== undefined && exists === 'no') faults.push(`workspace ${id} is back`)
    if (seen !== undefined && !names.includes(seen.name)) faults.push(`workspace ${id} is called ${seen.name}, not ${names.join(' or ')}`)
    if (seen === undefined) expected.exists = 'no'
    else Object.assign(expected, { id: seen.id, names: [seen.name], exists: 'yes' })
    if (seen !== undefined) unclaimed.delete(seen.id)
  }
  for (const { id, name } of unclaimed.values()) faults.push(`workspace ${id} (${name}) was never asked for`)
  model.workspaces = model.workspaces.filter(({ exists }) => exists === 'yes')
  return faults
}

/** Whoever was not asked to move stands in the order they stood in, in the dock and in each layout. */
function orderFaults({ terminals }: Model, before: Sight, after: Sight): string[] {
  const stayed = new Set(terminals.filter(({ exists, mayMove }) => exists === 'yes' && !mayMove).map(({ id }) => id))
  const old = new Set(before.terminals.map(({ id }) => id))
  const orderIn = (ids: readonly string[], isKept: (id: string) => boolean): string => ids.filter(isKept).join(' ')
  const dock = (sight: Sight, other: Set<string>): string =>
    orderIn(
      sight.terminals.map(({ id }) => id),
      (id) => other.has(id),
    )
  const faults: string[] = []
  if (dock(before, new Set(after.terminals.map(({ id }) => id))) !== dock(after, old)) faults.push('the dock has another order')
  for (const { id, terminals: now } of after.workspaces) {
    const then = before.workspaces.find((workspace) => workspace.id === id)?.terminals ?? []
    const both = (each: string): boolean => stayed.has(each) && then.includes(each) && now.includes(each)
    if (orderIn(then, both) !== orderIn(now, both)) faults.push(`workspace ${id} has another order`)
  }
  return faults
}
