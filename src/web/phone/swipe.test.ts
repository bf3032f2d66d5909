import { describe, expect, it } from 'vitest'
import { begun, ended, type Gesture, moved, type Point } from './swipe.ts'

const body = { width: 390, isBar: false }
const bar = { width: 390, isBar: true }
const one = (x: number, y: number): readonly Point[] => [{ x, y }]
const two = (x: number, y: number, apart: number): readonly Point[] => [
  { x: x - apart / 2, y },
  { x: x + apart / 2, y },
]
const follow = (path: readonly (readonly Point[])[], ground = body): Gesture => {
  const [first = [], ...rest] = path
  return rest.reduce((gesture, touches) => moved(gesture, touches, ground), begun(first, 0))
}

describe('one finger', () => {
  it('that goes clearly across changes the terminal: to the left the next one, to the right the one before', () => {
    expect(ended(follow([one(200, 300), one(180, 303), one(60, 310)]), 600, body)).toBe(1)
    expect(ended(follow([one(200, 300), one(225, 303), one(330, 310)]), 600, body)).toBe(-1)
  })

  it('that goes along scrolls, however far it strays later', () => {
    const gesture = follow([one(200, 300), one(205, 320), one(20, 330)])
    expect(gesture.kind).toBe('other')
    expect(ended(gesture, 600, body)).toBe(0)
  })

  it('that goes aslant scrolls in the terminal, but not on the bar or from the edge', () => {
    expect(follow([one(200, 300), one(170, 320)]).kind).toBe('other')
    expect(follow([one(200, 300), one(170, 320)], bar).kind).toBe('across')
    expect(follow([one(10, 300), one(40, 320)]).kind).toBe('across')
    expect(follow([one(380, 300), one(350, 320)]).kind).toBe('across')
  })

  it('that turns back, or goes a little way slowly, changes nothing', () => {
    expect(ended(follow([one(200, 300), one(100, 300), one(190, 300)]), 600, body)).toBe(0)
    expect(ended(follow([one(200, 300), one(130, 300)]), 900, body)).toBe(0)
  })

  it('may be short when it is fast', () => {
    expect(ended(follow([one(200, 300), one(150, 302)]), 90, body)).toBe(1)
    expect(ended(follow([one(200, 300), one(180, 302)]), 10, body)).toBe(0)
  })

  it('that has hardly moved is nothing yet', () => {
    expect(follow([one(200, 300), one(205, 295)]).kind).toBe('undecided')
  })
})

describe('two fingers', () => {
  it('that go the same way change the terminal', () => {
    expect(ended(follow([two(200, 300, 80), two(170, 310, 82), two(60, 320, 84)]), 600, body)).toBe(1)
  })

  it('that part or meet change the font step by step, and never the terminal', () => {
    const wider = follow([two(200, 300, 100), two(200, 300, 126)])
    expect(wider).toMatchObject({ kind: 'pinch', steps: 2 })
    expect(moved(wider, two(60, 300, 127), body)).toMatchObject({ kind: 'pinch', steps: 0 })
    expect(ended(wider, 600, body)).toBe(0)
    expect(follow([two(200, 300, 200), two(200, 300, 170)])).toMatchObject({ kind: 'pinch', steps: -1 })
  })

  it('of which one leaves before it is clear mean nothing, and so do three', () => {
    expect(follow([two(200, 300, 100), one(200, 300)]).kind).toBe('other')
    expect(begun([...two(1, 1, 9), ...one(2, 2)], 0).kind).toBe('other')
  })
})
