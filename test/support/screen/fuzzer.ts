import { createScreen, type Screen } from '../../../src/screen/screen.ts'
import type { Snapshot } from '../../../src/screen/snapshot/snapshot.ts'
import { compareScreens } from './compare.ts'
import { type HostileCase, type HostileStep, hostileCase } from './hostile.ts'
import { createRandom, type Random } from './random.ts'
import type { Recording } from './recordings.ts'

/**
 * Feeds screens with hostile output and asks of each: no exception, no chunk that takes long, and a snapshot and the bytes
 * since it make the same screen, wherever it was taken.
 */
export type Complaint = { readonly what: string; readonly step: number }

export type FuzzOptions = {
  /** For the test of the fuzzer: a mistake in what is restored. */ readonly spoil?: (snapshot: Snapshot) => Snapshot
}

const CHUNK_LIMIT_MS = 10_000 // for a chunk of a few kilobytes on a busy machine; usual is below one
const SCROLLBACK = 100

/** Null when all is well. */
export async function judgeCase(hostile: HostileCase, options: FuzzOptions = {}): Promise<Complaint | null> {
  const screen = createScreen({ ...hostile.size, scrollback: SCROLLBACK })
  const follower = createScreen({ ...hostile.size, scrollback: SCROLLBACK })
  const complaints: Complaint[] = []
  let step = 0
  screen.onEvent((event) => {
    if (event.kind === 'fault') complaints.push({ what: `the engine failed: ${event.message}`, step })
  })
  const played: Uint8Array[] = []
  let total = 0
  try {
    for (; step < hostile.steps.length && complaints.length === 0; step++) {
      const current = hostile.steps[step]
      if (current === undefined) break
      const began = performance.now()
      for (const each of [screen, follower]) await play(each, current)
      if (performance.now() - began > CHUNK_LIMIT_MS) complaints.push({ what: 'took too long', step })
      if ('bytes' in current) {
        played.push(current.bytes)
        total += current.bytes.length
      }
      for (const what of compare(screen, follower)) complaints.push({ what: `one restored before: ${what}`, step })
      const { snapshot, differs } = screen.checkedSnapshot()
      for (const part of differs) complaints.push({ what: `by its own check: ${part}`, step })
      await follower.restore(options.spoil?.(snapshot) ?? snapshot)
      await follower.feed(tail(played, total - snapshot.seq))
      for (const what of compare(screen, follower)) complaints.push({ what: `restored: ${what}`, step })
    }
  } catch (error) {
    complaints.push({ what: `threw ${error instanceof Error ? error.message : String(error)}`, step })
  } finally {
    for (const each of [screen, follower]) each.dispose()
  }
  return complaints[0] ?? null
}

const play = (screen: Screen, step: HostileStep): Promise<void> => ('bytes' in step ? screen.feed(step.bytes) : screen.resize(step.resize))

function compare(screen: Screen, copy: Screen): string[] {
  const found = compareScreens(screen, copy, 'bits')
  return screen.seq === copy.seq ? found : [...found, `seq ${screen.seq}, not ${copy.seq}`]
}

function tail(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const all = Buffer.concat(pieces)
  return Uint8Array.from(all.subarray(all.length - length))
}

/** A case of the same complaint with less in it: whole steps taken away first, then stretches of bytes. */
export async function minimise(hostile: HostileCase, judge: (hostile: HostileCase) => Promise<Complaint | null>): Promise<HostileCase> {
  let best = splitBytes(hostile, 64)
  if ((await judge(best)) === null) best = hostile // the complaint depends on where the chunks end
  for (const piece of [64, 16, 4, 1]) {
    if (piece < 64 && (await judge(splitBytes(best, piece))) !== null) best = splitBytes(best, piece)
    best = await withoutSteps(best, judge)
  }
  return joined(best, judge)
}

const MAX_ATTEMPTS = 600

async function withoutSteps(hostile: HostileCase, judge: (hostile: HostileCase) => Promise<Complaint | null>): Promise<HostileCase> {
  let best = hostile
  let attempts = 0
  for (let width = Math.max(1, best.steps.length >> 1); width >= 1; width >>= 1) {
    for (let at = 0; at < best.steps.length && attempts < MAX_ATTEMPTS; ) {
      const less = { ...best, steps: [...best.steps.slice(0, at), ...best.steps.slice(at + width)] }
      attempts++
      if ((await judge(less)) === null) at += width
      else best = less
    }
  }
  return best
}

function splitBytes(hostile: HostileCase, length: number): HostileCase {
  const steps = hostile.steps.flatMap((step): HostileStep[] => {
    if (!('bytes' in step)) return [step]
    return Array.from({ length: Math.ceil(step.bytes.length / length) }, (_, index) => ({
      bytes: step.bytes.slice(index * length, (index + 1) * length),
    }))
  })
  return { ...hostile, steps }
}

/** With neighbouring bytes in one step, where that is still complained of: easier to read. */
async function joined(hostile: HostileCase, judge: (hostile: HostileCase) => Promise<Complaint | null>): Promise<HostileCase> {
  const steps: HostileStep[] = []
  for (const step of hostile.steps) {
    const last = steps.at(-1)
    if ('bytes' in step && last !== undefined && 'bytes' in last) {
      steps[steps.length - 1] = { bytes: Uint8Array.from([...last.bytes, ...step.bytes]) }
    } else steps.push(step)
  }
  const simple = { ...hostile, steps }
  return (await judge(simple)) === null ? hostile : simple
}

/** As JavaScript, to be pasted into a test. */
export function printCase({ size, steps }: HostileCase): string {
  const lines = steps.map((step) =>
    'bytes' in step ? `Buffer.from(${literal(step.bytes)}, 'latin1')` : `resize to ${step.resize.cols}x${step.resize.rows}`,
  )
  return [`at ${size.cols}x${size.rows}:`, ...lines].join('\n')
}

const literal = (bytes: Uint8Array): string =>
  `'${[...bytes].map((byte) => (byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c ? `\\x${byte.toString(16).padStart(2, '0')}` : String.fromCharCode(byte))).join('')}'`

export type FuzzReport = {
  readonly cases: number
  readonly bytes: number
  readonly failure: { readonly seed: number; readonly complaint: Complaint; readonly minimal: HostileCase } | null
}

export type FuzzRun = FuzzOptions & {
  readonly seed: number
  readonly recordings: readonly Recording[]
  /** Asked before each case. */
  readonly goesOn: (cases: number) => boolean
  /** Told before each case, so that somebody else can say which one never ended. */
  readonly begins?: (seed: number) => void
}

/** Cases have seeds of their own, counted up: each can be tried alone. */
export async function fuzz({ seed, recordings, goesOn, begins, ...options }: FuzzRun): Promise<FuzzReport> {
  let [cases, bytes] = [0, 0]
  for (; goesOn(cases); cases++) {
    const own = seed + cases
    begins?.(own)
    const hostile = hostileCase(createRandom(own), recordings)
    const complaint = await judgeCase(hostile, options)
    bytes += hostile.steps.reduce((sum, step) => sum + ('bytes' in step ? step.bytes.length : 0), 0)
    if (complaint === null) continue
    const minimal = await minimise(hostile, (less) => judgeCase(less, options))
    return { cases: cases + 1, bytes, failure: { seed: own, complaint: (await judgeCase(minimal, options)) ?? complaint, minimal } }
  }
  return { cases, bytes, failure: null }
}

/** One screen is given everything; what it holds at the end must not depend on how much that was. */
export async function feedOneScreen(
  random: Random,
  recordings: readonly Recording[],
  { megabytes, screen: used }: { megabytes: number; screen?: Screen | null },
): Promise<Screen> {
  const screen = used ?? createScreen({ cols: 80, rows: 24 })
  for (let left = megabytes * 1_000_000; left > 0; ) {
    for (const step of hostileCase(random, recordings).steps) {
      if (!('bytes' in step)) continue
      await screen.feed(step.bytes)
      left -= step.bytes.length
    }
  }
  return screen
}
