import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { differences, dump } from '../../test/support/screen/dump.ts'
import { feedInPieces, restored, screenWith } from '../../test/support/screen/feed.ts'
import { createScreen } from './screen.ts'

/** Output of real agents in a terminal of 120×40. The recordings are not part of the repository. */
const FOLDER = fileURLToPath(new URL('../../../shared/agent-rig/recordings/', import.meta.url))
const names = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.bin')) : []
const SIZE = { cols: 120, rows: 40 }
const CUTS_PER_RECORDING = 8

const bytesOf = (name: string) => new Uint8Array(readFileSync(FOLDER + name))

describe.skipIf(names.length === 0)(`recordings of real agents${names.length === 0 ? ' (skipped: there are none here)' : ''}`, () => {
  it('come back from a snapshot exactly, at the end and in the middle', async () => {
    let exact = 0
    let cuts = 0
    const wrong: string[] = []
    for (const name of names) {
      const bytes = bytesOf(name)
      const whole = dump(await screenWith(bytes, SIZE))
      for (let index = 1; index <= CUTS_PER_RECORDING; index++) {
        const at = Math.floor((bytes.length * index) / CUTS_PER_RECORDING)
        const original = await screenWith(bytes.slice(0, at), SIZE)
        const copy = await restored(original)
        cuts++
        const restoredOk = !original.atSafeCut || differences(dump(original), dump(copy)).length === 0
        await copy.feed(bytes.slice(original.snapshot().seq))
        if (restoredOk && differences(whole, dump(copy)).length === 0) exact++
        else wrong.push(`${name}@${at}`)
        original.dispose()
        copy.dispose()
      }
    }
    console.log(`agents' screens restored exactly: ${exact} of ${cuts}`)
    expect(wrong).toEqual([])
  }, 60_000)

  it('come back from a snapshot at every byte of a stretch', async () => {
    const bytes = bytesOf(names.find((name) => name.startsWith('claude')) ?? names[0]!).slice(0, 2600)
    const whole = dump(await screenWith(bytes, SIZE))
    const original = createScreen({ ...SIZE, scrollback: 500 })
    await original.feed(bytes.slice(0, 2200))
    for (let at = 2200; at < bytes.length; at++) {
      await original.feed(bytes.slice(at, at + 1))
      const copy = await restored(original)
      await copy.feed(bytes.slice(original.snapshot().seq))
      expect({ at, differences: differences(whole, dump(copy)) }).toEqual({ at, differences: [] })
      copy.dispose()
    }
  }, 60_000)

  it('show the same however they are cut into pieces', async () => {
    for (const name of names) {
      const bytes = bytesOf(name)
      const cut = createScreen({ ...SIZE, scrollback: 500 })
      await feedInPieces(cut, bytes, [1, 7, 64, 3, 1000])
      expect({ name, differences: differences(dump(await screenWith(bytes, SIZE)), dump(cut)) }).toEqual({ name, differences: [] })
    }
  }, 60_000)
})
