import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { live, terminalId } from '../../../test/support/terminals.ts'
import type { Lead } from '../../workspace/terminal/sizing.ts'
import type { Live, Size } from '../../workspace/terminal/terminal.ts'
import { Sizes } from './sizes.ts'

const id = terminalId(1)
const size = (cols: number, rows = 30): Size => ({ cols, rows })

let terminal: Live
let resizes: string[]
let announced: string[]
let comingBack: boolean
let sizes: Sizes

beforeEach(() => {
  vi.useFakeTimers()
  ;[resizes, announced, comingBack] = [[], [], false]
  terminal = live({ id, spec: { ...live().spec, size: size(120, 40) } })
  sizes = new Sizes('last-typed', {
    terminal: () => terminal,
    resize: (_id, _run, next) => {
      resizes.push(`${next.cols}x${next.rows}`)
      terminal = { ...terminal, spec: { ...terminal.spec, size: next } }
      return true
    },
    announce: () => void announced.push(sizes.sizedBy(id).kind),
    isComingBack: () => comingBack,
  })
})
afterEach(() => void vi.useRealTimers())

const look = (client: number, cols: number, { rows = 30, lead = 'ifFree' }: { rows?: number; lead?: Lead } = {}) =>
  sizes.happened(id, { kind: 'looks', client, who: 'page', size: size(cols, rows), lead })

describe('the size of a terminal', () => {
  it('changes at once, then only to the last of many', () => {
    look(1, 100)
    expect(resizes).toEqual(['100x30'])
    for (const cols of [101, 102, 103]) {
      look(1, cols)
      vi.advanceTimersByTime(40)
    }
    expect(resizes).toEqual(['100x30'])
    vi.advanceTimersByTime(100)
    expect(resizes).toEqual(['100x30', '103x30'])
    vi.advanceTimersByTime(1_000)
    look(1, 104)
    expect(resizes.at(-1)).toBe('104x30')
  })

  it('settles although the terminal has other news all the time', () => {
    look(1, 100)
    look(1, 101)
    for (let step = 0; step < 10; step++) {
      sizes.follow(id)
      vi.advanceTimersByTime(20)
    }
    expect(resizes).toEqual(['100x30', '101x30'])
  })

  it('is never sent when it is the same', () => {
    look(1, 120, { rows: 40 })
    look(1, 100)
    look(1, 130)
    look(1, 100)
    vi.advanceTimersByTime(1_000)
    expect(resizes).toEqual(['100x30'])
  })

  it('waits for a holder that cannot be reached, and for a program that sleeps', () => {
    const reachable = terminal
    terminal = live({ ...terminal, link: { kind: 'unreachable', why: 'gone' } })
    look(1, 100)
    vi.advanceTimersByTime(1_000)
    expect(resizes).toEqual([])
    terminal = reachable
    sizes.follow(id)
    expect(resizes).toEqual(['100x30'])
  })

  it('is announced when somebody else decides it, not when somebody types on', () => {
    look(1, 100)
    sizes.happened(id, { kind: 'typed', client: 1 })
    look(1, 101)
    sizes.gone(1)
    sizes.setPolicy('fixed')
    expect(announced).toEqual(['client', 'nobody', 'fixed'])
  })

  it('can be set by hand under every policy', () => {
    look(1, 100)
    sizes.setByHand(id, size(90))
    sizes.setPolicy('fixed')
    look(1, 100, { lead: 'yes' })
    sizes.setByHand(id, size(70))
    vi.advanceTimersByTime(1_000)
    expect(resizes).toEqual(['100x30', '90x30', '70x30'])
    expect(sizes.sizedBy(id)).toEqual({ kind: 'fixed' })
  })

  it('does not grow to the smallest place while a smaller one may be on its way back', () => {
    sizes.setPolicy('smallest')
    terminal = live({ ...terminal, spec: { ...terminal.spec, size: size(80) } })
    comingBack = true
    look(1, 100)
    vi.advanceTimersByTime(1_000)
    look(2, 80)
    comingBack = false
    vi.advanceTimersByTime(1_000)
    expect(resizes).toEqual([])
    sizes.gone(2)
    expect(resizes).toEqual(['100x30'])
  })

  it('is forgotten with the terminal', () => {
    look(1, 100)
    const world = terminal
    terminal = null as unknown as Live
    sizes.follow(id)
    terminal = world
    expect(sizes.sizedBy(id)).toEqual({ kind: 'nobody' })
  })
})
