import { utf8Encode } from '../../../src/base/utf8.ts'
import { createScreen, engineOf, type Screen } from '../../../src/screen/screen.ts'
import { snapshotAnsi } from '../../../src/screen/snapshot/snapshot.ts'
import { compareScreens } from './compare.ts'
import { freshScreen, playThrough } from './everyCut.ts'
import { UNMODELLED, UNMODELLED_BEFORE } from './features.ts'
import { screenWith } from './feed.ts'
import { PROBES, repliesTo } from './probes.ts'
import type { Recording } from './recordings.ts'

/** How well each way of writing a screen down brings it back. */
export type Method = {
  readonly name: string
  /** Makes `copy`, a screen of the same size, what `original` was, and says from which byte on it must be fed. */
  restore(original: Screen, copy: Screen): Promise<number>
}

export const SNAPSHOT: Method = {
  name: 'snapshot',
  async restore(original, copy) {
    const snapshot = original.snapshot()
    await copy.restore(snapshot)
    return snapshot.seq
  },
}

/** What a terminal gets that is not a screen of ours: the page, or a user's own. */
export const ANSI_OF_SNAPSHOT: Method = {
  name: 'its ANSI alone',
  async restore(original, copy) {
    const snapshot = original.snapshot()
    await copy.feed(utf8Encode(snapshotAnsi(snapshot)))
    return snapshot.seq
  },
}

/** A serializer in the shape of an xterm.js addon. */
export type SerializeAddon = { serialize(): string; activate(terminal: never): void; dispose(): void }

export function addonMethod(name: string, create: () => SerializeAddon): Method {
  const addons = new WeakMap<object, SerializeAddon>()
  const addonOf = (screen: Screen) => {
    const { terminal } = engineOf(screen)
    const addon = addons.get(terminal) ?? create()
    if (!addons.has(terminal)) terminal.loadAddon(addon)
    addons.set(terminal, addon)
    return addon
  }
  return {
    name,
    async restore(original, copy) {
      await copy.feed(utf8Encode(addonOf(original).serialize()))
      return original.seq // it knows no safe cut
    },
  }
}

/** `exact`: every cell and all state; `picture`: what is seen now, the cursor and the history. */
type Score = { readonly exact: number; readonly picture: number }

const SIZE = { cols: 80, rows: 24 }

/** Whether the feature comes back, and stays what it was through everything that may bring hidden state to light. */
export async function scoreFeature(method: Method, output: string | Uint8Array): Promise<{ exact: boolean; picture: boolean }> {
  const bytes = typeof output === 'string' ? utf8Encode(output) : output
  const [original, copy] = [await screenWith(bytes, SIZE), createScreen({ ...SIZE, scrollback: 500 })]
  const since = await method.restore(original, copy)
  await copy.feed(bytes.slice(since))
  const picture = sameLook(original, copy)
  let exact = isSame(original, copy) && (await repliesTo(original)) === (await repliesTo(copy))
  for (const probe of Object.values(PROBES)) {
    for (const screen of [original, copy]) await screen.feed(utf8Encode(probe))
    exact &&= isSame(original, copy)
  }
  for (const screen of [original, copy]) screen.dispose()
  return { exact, picture }
}

const isSame = (a: Screen, b: Screen): boolean => compareScreens(a, b, 'bits').length === 0
const PICTURE = /^(normal|alternate|cursor|active|size|history)/
const sameLook = (a: Screen, b: Screen): boolean => !compareScreens(a, b, 'look').some((part) => PICTURE.test(part))

export type RecordingScore = {
  readonly name: string
  readonly screens: number
  readonly scores: Readonly<Record<string, Score>>
}

/** At safe cuts only, for all methods alike, as only ours can tell others. */
export async function scoreRecording(
  recording: Recording,
  methods: readonly Method[],
  { stride }: { stride: number },
): Promise<RecordingScore> {
  const scores = methods.map(() => ({ exact: 0, picture: 0 }))
  let screens = 0
  await playThrough(recording, { stride }, async ({ screen }) => {
    if (!screen.atSafeCut) return
    screens++
    for (const [index, method] of methods.entries()) {
      const copy = freshScreen(screen.size)
      await method.restore(screen, copy)
      const exact = isSame(screen, copy)
      if (exact) scores[index]!.exact++
      if (exact || sameLook(screen, copy)) scores[index]!.picture++
      copy.dispose()
    }
  })
  return { name: recording.name, screens, scores: Object.fromEntries(methods.map(({ name }, index) => [name, scores[index]!])) }
}

/** What the engine takes for nothing, found by looking: nothing about the screen changes. */
export async function unmodelled(): Promise<string[]> {
  const found: string[] = []
  for (const [name, output] of Object.entries(UNMODELLED)) {
    const [before, after] = [await screenWith(UNMODELLED_BEFORE), await screenWith(UNMODELLED_BEFORE + output)]
    if (compareScreens(before, after, 'bits').every((part) => part === 'parser')) found.push(name)
  }
  return found
}
