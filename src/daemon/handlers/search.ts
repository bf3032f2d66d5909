/** Searches the history: what is indexed, and the newest lines of live terminals, which are not. */
import { refusals, refused } from '../../base/refusal.ts'
import type { Hit } from '../../store/search/searchMessages.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import { matchOf, parseSearch, type SearchTerm, spansIn } from '../../workspace/searchQuery.ts'
import type { Client, Handler } from '../clients/handler.ts'
import type { NewestReply } from '../screens/screenMessages.ts'
import type { RunToSearch } from '../search/indexer.ts'
import { find } from '../terminals/find.ts'
import { viewOf } from '../terminals/view.ts'
import type { Parts, Viewing } from './world.ts'

/** A search right after a program has ended should find its last lines. */
const INDEXED_WITHIN_MS = 500
const LOOK_AGAIN_MS = 20

type World = Pick<Parts, 'config' | 'indexer' | 'layout' | 'registry' | 'runScreens' | 'screens'> & Viewing

/** `number` is null for a line of the alternate screen. */
type FoundLine = Omit<Hit, 'number'> & { readonly number: number | null }
type Query = {
  readonly terms: readonly SearchTerm[]
  readonly since: number | null
  readonly until: number | null
  readonly context: number
}
type Tail = { readonly run: RunToSearch; readonly at: number; readonly newest: NewestReply }

export const searchQuery: Handler<'search.query', World> = async (
  daemon,
  { query, terminal: ref, limit, context, since = null, until = null },
  client,
) => {
  const only = ref === undefined ? null : find(daemon, ref)
  if (only?.ok === false) return only
  if (only?.value.private === true) return refused(refusals.notSearched(only.value.id))
  const terms = parseSearch(query)
  if (terms.length === 0) return refused(refusals.searchEmpty(query))
  if (!daemon.config.search.enabled) return refused(refusals.searchOff())
  const asked = { terms, since, until, context }
  try {
    const index = await daemon.indexer.opened()
    if (index === null) return refused(refusals.searchOff())
    const runs = await runsToSearch(daemon, only?.value.id ?? null, client)
    const tails = await Promise.all(runs.filter(({ isLive }) => isLive).map((run) => tailOf(daemon, run, context)))
    const lookup = { match: matchOf(terms), since, until, context, limit: limit + 1, runs: runs.map(({ run }) => run) }
    const indexed = await index.find(lookup)
    const hits = newestFirst([...tails.flatMap((tail) => (tail === null ? [] : hitsIn(tail, asked))), ...indexed])
    return { ok: true, result: outcomeOf(daemon, { runs, tails, terms, limit, context, hits }) }
  } catch (error) {
    // It may have been switched off while the index was asked.
    return refused(daemon.config.search.enabled ? refusals.searchFailed((error as Error).message) : refusals.searchOff())
  }
}

type Only = Parameters<Parts['indexer']['runsToSearch']>[0]

async function runsToSearch(daemon: World, only: Only, client: Pick<Client, 'sees'>): Promise<RunToSearch[]> {
  const deadline = performance.now() + INDEXED_WITHIN_MS
  for (;;) {
    const runs = daemon.indexer.runsToSearch(only).filter(({ terminal }) => client.sees(terminal.id))
    if (!runs.some(({ isPending }) => isPending) || performance.now() > deadline) return runs
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** What a live terminal shows, and what has just left its screen. Null if its holder does not answer. */
async function tailOf(daemon: World, run: RunToSearch, context: number): Promise<Tail | null> {
  try {
    await daemon.runScreens.ensure(run.terminal, run.run)
    const newest = await daemon.screens.newest(run.run, { from: Math.max(0, run.indexed - context) })
    return { run, newest, at: await daemon.indexer.newestTime(run.run) }
  } catch {
    return null // what is indexed of it is found all the same
  }
}

function hitsIn({ run: { run, indexed }, at, newest }: Tail, { terms, since, until, context }: Query): FoundLine[] {
  if (at < (since ?? 0) || at > (until ?? Number.POSITIVE_INFINITY)) return []
  const within = (lines: readonly string[], from: number | null): FoundLine[] =>
    lines.flatMap((line, row) => {
      const number = from === null ? null : from + row
      if ((number !== null && number < indexed) || spansIn(line, terms) === null) return []
      return [
        { run, number, at, line, before: lines.slice(Math.max(0, row - context), row), after: lines.slice(row + 1, row + 1 + context) },
      ]
    })
  return [...within(newest.lines, newest.from), ...within(newest.alternate ?? [], null)]
}

/** A line that was indexed while the screen was asked is found twice. */
function newestFirst(found: readonly FoundLine[]): FoundLine[] {
  const once = new Map(found.map((hit, at) => [hit.number === null ? `${at}` : `${hit.run} ${hit.number}`, hit]))
  return [...once.values()].sort((a, b) => b.at - a.at || (b.number ?? Number.POSITIVE_INFINITY) - (a.number ?? Number.POSITIVE_INFINITY))
}

type Gathered = {
  readonly runs: readonly RunToSearch[]
  readonly tails: readonly (Tail | null)[]
  readonly terms: readonly SearchTerm[]
  readonly limit: number
  readonly context: number
  readonly hits: readonly FoundLine[]
}

function outcomeOf(daemon: World, { runs, tails, terms, limit, context, hits }: Gathered): Outcome<'search.query'> {
  const ofRun = new Map<string, RunToSearch>(runs.map((run) => [run.run, run]))
  const shown = hits.slice(0, limit).flatMap((hit) => {
    const of = ofRun.get(hit.run)
    if (of === undefined) return []
    const after = [...hit.after, ...afterIn(tails, hit, context)]
    const { terminal } = of
    return [
      {
        ...{ run: hit.run, number: hit.number, at: hit.at, line: hit.line, before: [...hit.before], after },
        ...{ terminal: terminal.id, isPast: terminal.lastRun !== hit.run, spans: spansIn(hit.line, terms) ?? [] },
      },
    ]
  })
  const named = new Set(shown.map(({ terminal }) => terminal))
  return {
    hits: shown,
    more: hits.length > limit,
    pending: pendingOf(runs, tails),
    terminals: daemon.layout.inDockOrder().flatMap((terminal) => (named.has(terminal.id) ? [viewOf(terminal, daemon)] : [])),
  }
}

/** The last line that is indexed is followed by the first one that is not. */
function afterIn(tails: readonly (Tail | null)[], { run, number, after }: FoundLine, context: number): readonly string[] {
  const tail = tails.find((each) => each?.run.run === run)
  if (tail === undefined || tail === null || number === null) return []
  const from = number + 1 + after.length - tail.newest.from
  return from < 0 ? [] : tail.newest.lines.slice(from, from + context - after.length)
}

function pendingOf(runs: readonly RunToSearch[], tails: readonly (Tail | null)[]): { terminal: string; lines: number | null }[] {
  const asleep = runs.filter(({ isPending }) => isPending).map(({ terminal }) => ({ terminal: terminal.id, lines: null }))
  const live = tails.flatMap((tail) => {
    const lines = tail === null ? 0 : tail.newest.from - tail.run.indexed
    return tail === null || lines <= 0 ? [] : [{ terminal: tail.run.terminal.id, lines }]
  })
  return [...live, ...asleep]
}
