/** Health for people: one line while all is well, a table of what is not. */
import { assertNever } from '../base/assertNever.ts'
import type { HealthView, WatchedView } from '../wire/healthView.ts'
import { type Paint, type Palette, paletteFor } from './colour.ts'
import { ageText } from './format.ts'
import type { Host } from './host.ts'
import { type Column, tableText } from './table.ts'

export async function healthText(health: HealthView, host: Pick<Host, 'env' | 'stdout'>, now = Date.now()): Promise<string> {
  const unwell = health.watched.filter(({ why, state }) => why !== null || isDown(state))
  const well = health.watched.filter((watched) => !unwell.includes(watched))
  const palette = paletteFor(host.stdout, host.env)
  if (health.overall === 'well') return `${palette.good('All is well')}: ${countsOf(well)}.`
  const table = unwell.length === 0 ? [] : [await tableText(unwell, columnsOf(now, palette), host)]
  const rest = well.length === 0 ? [] : [`${unwell.length === 0 ? 'Well' : 'All else is well'}: ${countsOf(well)}.`]
  return [...table, ...loadLines(health, palette), ...rest].join('\n')
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

/** As in `12 holders, store, page`: those that there may be many of are counted, and not yet known is not well. */
function countsOf(watched: readonly WatchedView[]): string {
  const counted = [...new Set(watched.map(({ kind }) => kind))].map((kind) => {
    const all = watched.filter((each) => each.kind === kind)
    const unknown = all.filter(({ state }) => state !== 'alive').length
    const text = kind === 'holder' || kind === 'session' ? `${all.length} ${kind}${all.length === 1 ? '' : 's'}` : (all[0]?.name ?? kind)
    return unknown === 0 ? text : `${text} (${kind === 'holder' || kind === 'session' ? `${unknown} ` : ''}not looked at yet)`
  })
  return counted.length === 0 ? 'nothing is watched yet' : counted.join(', ')
}
