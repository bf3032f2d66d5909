import { beforeEach, expect, it } from 'vitest'
import type { Renderer } from './glPool.ts'
import { GraphicsSeats } from './graphicsSeats.ts'

let drawn: Map<string, Renderer>
let most: number
let works: boolean
let isPossible: boolean
let seats: GraphicsSeats

beforeEach(() => {
  ;[drawn, most, works, isPossible] = [new Map(), 0, true, true]
  seats = new GraphicsSeats({
    apply: (id, renderer) => {
      drawn.set(id, renderer)
      most = Math.max(most, contexts().length)
      return works
    },
    isPossible: () => isPossible,
  })
})

const contexts = () => [...drawn].filter(([, renderer]) => renderer === 'gl').map(([id]) => id)
const names = (count: number, prefix = 't') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const all = (ids: readonly string[], isInView: boolean) => ids.map((id) => [id, isInView] as const)

it('of ten that come into view together eight get a context, the one in use first', () => {
  seats.used('t9')
  seats.seen(all(names(10), true))
  expect(contexts()).toHaveLength(8)
  expect(contexts()).toContain('t9')
})

it('a workspace that is shown next takes the contexts of the one before, never more than there are', () => {
  seats.seen(all(names(8), true))
  seats.seen([...all(names(8), false), ...all(names(8, 'u'), true)])
  expect(contexts().sort()).toEqual(names(8, 'u'))
  expect([most, seats.count]).toEqual([8, 8])
})

it('a lost context is not asked for again', () => {
  seats.seen(all(['a'], true))
  drawn.set('a', 'dom')
  seats.lost('a')
  seats.seen(all(['a'], false))
  seats.seen(all(['a'], true))
  expect([contexts(), seats.count]).toEqual([[], 0])
})

it('what does not work is not tried twice, and where there is nothing of the kind it is not tried at all', () => {
  works = false
  seats.seen(all(['a'], true))
  expect(seats.count).toBe(0)
  drawn.clear()
  seats.seen(all(['a'], false))
  seats.seen(all(['a'], true))
  isPossible = false
  seats.seen(all(['b'], true))
  expect(drawn.size).toBe(0)
})

it('one that is gone leaves its context to others', () => {
  seats.seen(all(names(8), true))
  seats.forget('t0')
  drawn.delete('t0')
  seats.seen(all(['new'], true))
  expect(contexts()).toContain('new')
})
