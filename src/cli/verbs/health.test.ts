import { describe, expect, it } from 'vitest'
import type { HealthView, WatchedView } from '../../wire/healthView.ts'
import { healthText } from './health.ts'

const NOW = 100_000
const cli = { env: {}, stdout: { isTTY: false } } as unknown as Parameters<typeof healthText>[1]

const watched = (over: Partial<WatchedView>): WatchedView => ({
  ...{ id: 'x', kind: 'store', name: 'store', terminal: null, state: 'alive', since: NOW - 5_000, why: null },
  ...{ strikes: 0, attempts: 0, answeredInMs: 1, nextCheckAt: null, ...over },
})
const view = (over: Partial<HealthView>): HealthView => ({
  ...{ at: NOW, overall: 'well', load: { stage: 0, why: null, shed: [] }, watched: [], ...over },
})

describe('health, for people', () => {
  it('is one line while all is well', async () => {
    const all = [
      watched({ kind: 'holder', name: 'a' }),
      watched({ kind: 'holder', name: 'b' }),
      watched({}),
      watched({ kind: 'web', name: 'page' }),
    ]
    expect(await healthText(view({ watched: all }), cli, NOW)).toBe('OK: 2 holders, store, page.')
  })

  it('does not call well what has not been checked yet', async () => {
    const all = [watched({ kind: 'holder', state: 'unknown' }), watched({ kind: 'holder' }), watched({ state: 'verifying' })]
    expect((await healthText(view({ watched: all }), cli, NOW)).split('\n')).toEqual([
      'OK: 1 holder.',
      'Not checked yet: 1 holder, store. Run holdfast health --check to check now.',
    ])
    const unwell = watched({ kind: 'disk', name: 'disk', why: 'it is nearly full' })
    expect((await healthText(view({ overall: 'degraded', watched: [unwell, ...all] }), cli, NOW)).split('\n').slice(2)).toEqual([
      'OK: 1 holder.',
      'Not checked yet: 1 holder, store. Run holdfast health --check to check now.',
    ])
    expect(await healthText(view({ watched: [] }), cli, NOW)).toBe('Nothing was checked yet.')
  })

  it('tells what is not well first, with its reason, then what is left undone', async () => {
    const all = [
      watched({ kind: 'holder', name: 'api', state: 'dead', why: 'its holder is stopped; its program keeps running' }),
      watched({ kind: 'search', name: 'search index', state: 'failed', why: 'no', attempts: 5 }),
      watched({ kind: 'web', name: 'page', state: 'verifying', strikes: 2, why: 'it did not answer within 5 s' }),
      watched({}),
    ]
    const load = { stage: 1, why: 'the disk is nearly full: less than 256 MB left', shed: ['nothing is indexed'] }
    expect((await healthText(view({ overall: 'ill', load, watched: all }), cli, NOW)).split('\n')).toEqual([
      'WHAT    NAME          STATE          FOR  WHY',
      'holder  api           not answering  5s   its holder is stopped; its program keeps running',
      'search  search index  failed (5)     5s   no',
      'web     page          silent (2)     5s   it did not answer within 5 s',
      'Load, stage 1 of 3: the disk is nearly full: less than 256 MB left. Paused:',
      '  nothing is indexed',
      'Everything else is OK: store.',
    ])
  })
})
