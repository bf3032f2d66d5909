import { isDeepStrictEqual } from 'node:util'
import { createScreen, type Screen } from '../../../src/screen/screen.ts'
import type { Snapshot } from '../../../src/screen/snapshot/snapshot.ts'
import { decodeSnapshot, encodeSnapshot } from '../../../src/screen/snapshot/snapshotBytes.ts'
import { compareScreens } from './compare.ts'
import type { Recording } from './recordings.ts'

/**
 * Cuts a recording at its bytes, and proves at each that a snapshot and the bytes since it make the same screen.
 *
 * One screen lives through the whole recording. At a cut its snapshot is restored into a second one, which is given the
 * bytes since; then everything about the two is compared, the parser too. What follows follows for both alike, as nothing
 * else decides what a screen does with a byte; for some cuts the rest is
 * played to its end all the same, from the snapshot's bytes.
 */
export type Moment = { readonly screen: Screen /** Bytes played. */; readonly at: number /** Resizes played. */; readonly resizes: number }

export type Stride = {
  /** Only every so many bytes; 1 is every cut. */
  readonly stride?: number
  /** The first cut after the one at the beginning. */
  readonly from?: number
}

const SCROLLBACK = 1_000

export const freshScreen = ({ cols, rows }: Pick<Recording, 'cols' | 'rows'>): Screen =>
  createScreen({ cols, rows, scrollback: SCROLLBACK })

/** Visits cuts in order, and both sides of every resize. */
export async function playThrough(
  recording: Recording,
  { stride = 1, from = stride }: Stride,
  visit: (moment: Moment) => Promise<void>,
): Promise<void> {
  const { bytes, resizes } = recording
  const screen = freshScreen(recording)
  let played = 0
  for (let at = 0; at <= bytes.length; ) {
    await visit({ screen, at, resizes: played })
    for (let next = resizes[played]; next !== undefined && next.at <= at; next = resizes[++played]) {
      await screen.resize(next)
      await visit({ screen, at, resizes: played + 1 })
    }
    const end = at === bytes.length ? at + 1 : Math.min(at === 0 ? from : at + stride, bytes.length, resizes[played]?.at ?? bytes.length)
    await screen.feed(bytes.slice(at, end))
    at = end
  }
  screen.dispose()
}

/** Plays what comes after a moment. */
export async function playRest(
  screen: Screen,
  { bytes, resizes }: Recording,
  { at, resizes: played }: Omit<Moment, 'screen'>,
): Promise<void> {
  let from = at
  for (const next of resizes.slice(played)) {
    await screen.feed(bytes.slice(from, next.at))
    await screen.resize(next)
    from = next.at
  }
  await screen.feed(bytes.slice(from))
}

export type CutReport = {
  readonly name: string
  readonly cuts: number
  /** Cuts with a snapshot of their own; those inside one sequence share it. */
  readonly screens: number
  readonly playedToTheEnd: number
  readonly wrong: readonly { readonly at: number; readonly differences: readonly string[] }[]
}

const END_EVERY = 997 // screens; playing the rest costs as much as the recording is long

export type CheckOptions = Stride & {
  /**
   * Inside a sequence a snapshot is that of the cut before it, with the bytes since: so it is enough to give those to what
   * was restored there. Of such cuts one in so many takes a snapshot all the same; 1 is every cut.
   */
  readonly inside?: number
  readonly progress?: (at: number) => void
  /** For the test of this check: a mistake in what is restored. */
  readonly spoil?: (snapshot: Snapshot) => Snapshot
}

export async function checkCuts(recording: Recording, options: CheckOptions = {}): Promise<CutReport> {
  const whole = freshScreen(recording)
  await playRest(whole, recording, { at: 0, resizes: 0 })
  const copy = freshScreen(recording)
  const wrong: { at: number; differences: readonly string[] }[] = []
  let [cuts, screens, playedToTheEnd] = [0, 0, 0]
  let proven: Snapshot | null = null
  /** Where the copy stands, while it is what the snapshot says. */
  let followed = -1
  await playThrough(recording, options, async ({ screen, at, resizes }) => {
    cuts++
    options.progress?.(at)
    if (!screen.atSafeCut && followed === at - 1 && at % (options.inside ?? 1) !== 0) {
      await copy.feed(recording.bytes.slice(followed, at))
      followed = at
      const found = compareCopy(screen, copy)
      if (found.length > 0) wrong.push({ at, differences: found })
      return
    }
    followed = -1
    const { snapshot, differs } = screen.checkedSnapshot()
    if (differs.length > 0) wrong.push({ at, differences: differs.map((part) => `by its own check: ${part}`) })
    if (proven !== null && isDeepStrictEqual(proven, snapshot)) return
    screens++
    await copy.restore(options.spoil?.(snapshot) ?? snapshot)
    await copy.feed(recording.bytes.slice(snapshot.seq, at))
    const found = compareCopy(screen, copy)
    if (found.length > 0) wrong.push({ at, differences: found })
    else [proven, followed] = [snapshot, at]
    if (screens % END_EVERY !== 1) return
    playedToTheEnd++
    followed = -1
    const kept = decodeSnapshot(encodeSnapshot(snapshot))
    if (kept === null) return void wrong.push({ at, differences: ['its bytes are not read again'] })
    await copy.restore(kept)
    await copy.feed(recording.bytes.slice(kept.seq, at))
    await playRest(copy, recording, { at, resizes })
    const atEnd = compareCopy(whole, copy)
    if (atEnd.length > 0) wrong.push({ at, differences: atEnd.map((difference) => `at the end: ${difference}`) })
  })
  for (const screen of [whole, copy]) screen.dispose()
  return { name: recording.name, cuts, screens, playedToTheEnd, wrong }
}

function compareCopy(original: Screen, copy: Screen): string[] {
  const found = compareScreens(original, copy, 'bits')
  if (original.seq !== copy.seq) found.push(`seq ${original.seq}, not ${copy.seq}`)
  if (original.atSafeCut !== copy.atSafeCut) found.push('safe cut')
  return found
}
