import { afterEach, expect, test, vi } from 'vitest'
import { decodeFlag, decodeNumber, decodeTexts, Remembered } from './remembered.ts'

const stored = new Map<string, string>()
const remembered = (usual = 5) => new Remembered<number>({ key: 'width', usual, decode: decodeNumber(1, 10) })

function withStorage(changes: Partial<Storage> = {}): void {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    ...changes,
  })
}
afterEach(() => {
  stored.clear()
  vi.unstubAllGlobals()
})

test('what is set is there the next time, and told at once', () => {
  withStorage()
  const heard: number[] = []
  const width = remembered()
  width.subscribe(() => heard.push(width.value))
  width.set(7)
  expect([heard, remembered().value]).toEqual([[7], 7])
})

test('what cannot be it is as good as nothing', () => {
  withStorage()
  for (const text of ['"x"', '99', '{broken', 'null']) {
    stored.set('holdfast.width', text)
    expect(remembered().value).toBe(5)
  }
  expect([decodeFlag(1), decodeFlag(false), decodeTexts(['a']), decodeTexts(['a', 1])]).toEqual([null, false, ['a'], null])
})

test('a browser that remembers nothing breaks nothing', () => {
  const refuse = () => {
    throw new Error('not allowed')
  }
  withStorage({ getItem: refuse, setItem: refuse })
  const width = remembered()
  width.set(3)
  expect(width.value).toBe(3)
})
