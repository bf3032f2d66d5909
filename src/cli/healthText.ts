/** Health for people: one line while all is well, a table of what is not, and what has not been checked yet. */
import { assertNever } from '../base/assertNever.ts'
import type { HealthView, WatchedView } from '../wire/healthView.ts'
import { type Paint, type Palette, paletteFor } from './colour.ts'
import { ageText } from './format.ts'
import type { Host } from './host.ts'
import { type Column, tableText } from './table.ts'

export async function healthText(health: HealthView, host: Pick<Host, 'env' | 'stdout'>, now = Date.now()): Promise<string> {
  const unwell = health.watched.filter(({ why, state }) => why !== null || isDown(state))
  const others = health.watched.filter((watched) => !unwell.includes(watched))
  const well = others.filter(({ state }) => state === 'alive')
  const unchecked = others.filter(({ state }) => state !== 'alive')
  const palette = paletteFor(host.stdout, host.env)
  if (health.watched.length === 0) return 'Nothing is watched yet.'
  const isAllWell = health.overall === 'well' && unchecked.length === 0
  const table = unwell.length === 0 ? [] : [await tableText(unwell, columnsOf(now, palette), host)]
  const head = isAllWell ? palette.good('All is well') : unwell.length > 0 && unchecked.length === 0 ? 'All else is well' : 'Well'
  const rest = well.length === 0 ? [] : [`${head}: ${countsOf(well)}.`]
  const unknown = unchecked.length === 0 ? [] : [`Not checked yet: ${countsOf(unchecked)}. Run holdfast health --check to check now.`]
  return [...table, ...loadLines(health, palette), ...rest, ...unknown].join('\n')
}

const isDown = (state: WatchedView['state']): boolean => state === 'dead' || state === 'recovering' || state === 'failed'

function loadLines({ load }: HealthView, palette: Palette): readonly string[] {
  if (load.stage === 0) return []
  return [palette.warn(`Load, stage ${load.stage} of 3: ${load.why ?? ''}. Left undone:`), ...load.shed.map((what) => `  ${what}`)]
}

function columnsOf(now: number, palette: Palette): readonly Column<WatchedView>[] {
  return [
    { title: 'WHAT', text: ({ kind }) => kind, paint: () => palette.bold },
    { title: 'NAME', text: ({ name, kind }) => (name === kind ? '' : name), shrinks: true },
    { title: 'STATE', text: stateText, paint: ({ state }) => paintOf(state, palette) },
    { title: 'FOR', text: ({ since }) => ageText(Math.max(0, now - since)), paint: () => palette.dim },
    { title: 'WHY', text: ({ why }) => why ?? '', shrinks: true },
  ]
}

/** A holder that is gone is not watched any more: one that is called dead is there, and does not answer. */
function stateText({ kind, state, strikes, attempts }: WatchedView): string {
  if (kind === 'holder' && state === 'dead') return 'not answering'
  if (state === 'verifying' && strikes > 0) return `silent (${strikes})`
  return attempts > 0 ? `${state} (${attempts})` : state
}

function paintOf(state: WatchedView['state'], palette: Palette): Paint {
  switch (state) {
    case 'alive':
    case 'verifying':
    case 'recovering':
      return palette.warn
    case 'dead':
    case 'failed':
      return palette.bad
    case 'unknown':
      return palette.dim
  }
  return assertNever(state)
}

/** As in `12 holders, store, page`: those that there may be many of are counted. */
function countsOf(watched: readonly WatchedView[]): string {
  const counted = [...new Set(watched.map(({ kind }) => kind))].map((kind) => {
    const all = watched.filter((each) => each.kind === kind)
    const isCounted = kind === 'holder' || kind === 'session'
    return isCounted ? `${all.length} ${kind}${all.length === 1 ? '' : 's'}` : (all[0]?.name ?? kind)
  })
  return counted.join(', ')
}
