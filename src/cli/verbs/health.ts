import { ageText } from '../../base/format.ts'
import { done, type Result } from '../../base/refusal.ts'
import type { HealthView, WatchedView } from '../../wire/healthView.ts'
import { print } from '../core/answers.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import type { Cli, Verb } from '../core/verb.ts'
import { type Output, type Palette, paletteFor, type Tone } from '../text/color.ts'
import { type Column, tableText } from '../text/table.ts'

export const verb: Verb = {
  name: 'health',
  summary: 'Show the health of the daemon and every holder.',
  options: [
    { flags: '-w, --watch', help: 'keep showing changes until Ctrl-C, even across restarts' },
    { flags: '--check', help: 'run all health checks now and retry what failed' },
  ],
  details: [
    'Problems come first, each with its reason. For a holder that does not answer,',
    'the last known state of its program is shown.',
    'Exit code: 0 when everything works or is degraded, 1 when something is ill.',
    'With --watch, --json prints one line for the state and one for each change.',
  ],
  example: ['holdfast health', 'holdfast health --check || echo ill', 'holdfast health --watch', 'holdfast health --json | jq .overall'],
  run: async (cli, input) => {
    const answer = await cli.ask('health.show', input.flag('check') ? { check: true } : {})
    if (!answer.ok) return answer
    if (input.flag('watch')) return await watch(cli)
    const health = answer.value.result
    await print(cli, health, () => healthText(health, cli))
    return done(exitCodeOf(health))
  },
}

const exitCodeOf = ({ overall }: HealthView): ExitCode => (overall === 'ill' ? EXIT.refused : EXIT.done)

async function watch(cli: Cli): Promise<Result<ExitCode>> {
  const { watchDaemon } = await import('../watch/watchDaemon.ts')
  return await watchDaemon(cli, {
    who: 'health',
    text: async ({ health }) => (health === null ? '' : await healthText(health, cli)),
    all: ({ health }) => health ?? null,
    event: (event) => (event.kind === 'health' ? event.health : null),
  })
}

/** One line while everything works; else a table of problems first, and what has not been checked yet last. */
export async function healthText(health: HealthView, output: Output, now = Date.now()): Promise<string> {
  const unwell = health.watched.filter(({ why, state }) => why !== null || isDown(state))
  const others = health.watched.filter((watched) => !unwell.includes(watched))
  const well = others.filter(({ state }) => state === 'alive')
  const unchecked = others.filter(({ state }) => state !== 'alive')
  const palette = paletteFor(output)
  if (health.watched.length === 0) return 'Nothing was checked yet.'
  const isAllWell = health.overall === 'well' && unchecked.length === 0
  const table = unwell.length === 0 ? [] : [await tableText(unwell, columnsOf(now), output)]
  const head = isAllWell ? palette.good('OK') : unwell.length > 0 && unchecked.length === 0 ? 'Everything else is OK' : 'OK'
  const rest = well.length === 0 ? [] : [`${head}: ${countsOf(well)}.`]
  const unknown = unchecked.length === 0 ? [] : [`Not checked yet: ${countsOf(unchecked)}. Run holdfast health --check to check now.`]
  return [...table, ...loadLines(health, palette), ...rest, ...unknown].join('\n')
}

const isDown = (state: WatchedView['state']): boolean => state === 'dead' || state === 'recovering' || state === 'failed'

function loadLines({ load }: HealthView, palette: Palette): readonly string[] {
  if (load.stage === 0) return []
  return [palette.warn(`Load, stage ${load.stage} of 3: ${load.why ?? ''}. Paused:`), ...load.shed.map((what) => `  ${what}`)]
}

const columnsOf = (now: number): readonly Column<WatchedView>[] => [
  { title: 'WHAT', text: ({ kind }) => kind, tone: 'bold' },
  { title: 'NAME', text: ({ name, kind }) => (name === kind ? '' : name), shrinks: true },
  { title: 'STATE', text: stateText, tone: ({ state }) => TONES[state] },
  { title: 'FOR', text: ({ since }) => ageText(Math.max(0, now - since)), tone: 'dim' },
  { title: 'WHY', text: ({ why }) => why ?? '', shrinks: true },
]

const TONES: Readonly<Record<WatchedView['state'], Tone>> = {
  alive: 'warn',
  verifying: 'warn',
  recovering: 'warn',
  dead: 'bad',
  failed: 'bad',
  unknown: 'dim',
}

/** An ended holder is no longer watched, so a dead one does not answer. */
function stateText({ kind, state, strikes, attempts }: WatchedView): string {
  if (kind === 'holder' && state === 'dead') return 'not answering'
  if (state === 'verifying' && strikes > 0) return `silent (${strikes})`
  return attempts > 0 ? `${state} (${attempts})` : state
}

/** As in `12 holders, store, page`: holders and sessions are counted. */
function countsOf(watched: readonly WatchedView[]): string {
  const counted = [...new Set(watched.map(({ kind }) => kind))].map((kind) => {
    const all = watched.filter((each) => each.kind === kind)
    const isCounted = kind === 'holder' || kind === 'session'
    return isCounted ? `${all.length} ${kind}${all.length === 1 ? '' : 's'}` : (all[0]?.name ?? kind)
  })
  return counted.join(', ')
}
