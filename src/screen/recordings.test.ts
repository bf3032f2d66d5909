import { randomInt } from 'node:crypto'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { compareScreens } from '../../test/support/screen/compare.ts'
import { checkCuts, freshScreen, playRest } from '../../test/support/screen/everyCut.ts'
import { feedInPieces } from '../../test/support/screen/feed.ts'
import { agentRecordings, programRecordings, type Recording } from '../../test/support/screen/recordings.ts'

const programs = programRecordings()
const agents = agentRecordings()

const TIMEOUT_MS = 300_000 // each is a second or ten of work, on a machine that may be busy
const SHORT_UP_TO = 5_000 // bytes
// Bytes: primes, so that cuts fall everywhere in a program's habits. `npm run fidelity` takes every byte of all.
const SHORT_STRIDE = 3
const STRIDE = 23
const AGENTS_STRIDE = 499
/** Where the strides begin: each run of the tests tries other cuts. `CUTS_FROM` repeats those of a run. */
const FROM = Number(process.env['CUTS_FROM'] ?? randomInt(SHORT_STRIDE * STRIDE * AGENTS_STRIDE))

async function proveCuts(recording: Recording, stride: number): Promise<void> {
  const { cuts, screens, playedToTheEnd, wrong } = await checkCuts(recording, { stride, from: 1 + (FROM % stride) })
  const proven = `${cuts} cuts, ${screens} screens restored, ${playedToTheEnd} played to the end, ${wrong.length} wrong`
  console.log(`${recording.name}: ${proven} (CUTS_FROM=${FROM})`)
  expect(wrong.slice(0, 5)).toEqual([])
  expect(cuts).toBeGreaterThanOrEqual(Math.floor(recording.bytes.length / stride))
}

const named = (recordings: readonly Recording[]) => recordings.map((recording) => [recording.name, recording] as const)
const short = programs.filter(({ bytes }) => bytes.length <= SHORT_UP_TO)
const long = programs.filter(({ bytes }) => bytes.length > SHORT_UP_TO)

describe('a snapshot and the rest of the bytes make the whole', () => {
  it.each(named(short))(`at every ${SHORT_STRIDE}rd byte of %s`, (_, recording) => proveCuts(recording, SHORT_STRIDE), TIMEOUT_MS)
  it.each(named(long))(`at every ${STRIDE}rd byte of %s`, (_, recording) => proveCuts(recording, STRIDE), TIMEOUT_MS)
  it('for a dozen kinds of programs, most of which are resized', () => {
    expect(programs.length).toBeGreaterThanOrEqual(12)
    expect(programs.filter(({ resizes }) => resizes.length > 0).length).toBeGreaterThanOrEqual(8)
  })
})

it('recordings are small, and tell nothing of the machine they were made on', () => {
  for (const { name, bytes } of programs) {
    expect({ name, long: bytes.length > 60_000 }).toEqual({ name, long: false })
    const places = Buffer.from(bytes)
      .toString()
      .match(/\/(home|root|Users|work|mnt|opt)\/\S*/g)
    expect({ name, places }).toEqual({ name, places: null })
  }
})

const absent = agents.length === 0 ? ' (skipped: their recordings are not here)' : ''

describe.skipIf(agents.length === 0)(`a snapshot and the rest of the bytes make the whole${absent}`, () => {
  it.each(named(agents))(`at every ${AGENTS_STRIDE}th byte of %s`, (_, recording) => proveCuts(recording, AGENTS_STRIDE), TIMEOUT_MS)
})

it.each(named([...programs, ...agents]))(
  '%s shows the same however it is cut into pieces',
  async (_, recording) => {
    const [whole, cut] = [freshScreen(recording), freshScreen(recording)]
    await playRest(whole, { ...recording, resizes: [] }, { at: 0, resizes: 0 })
    await feedInPieces(cut, recording.bytes, [1, 7, 64, 3, 1000])
    expect(compareScreens(whole, cut)).toEqual([])
    for (const screen of [whole, cut]) screen.dispose()
  },
  TIMEOUT_MS,
)
