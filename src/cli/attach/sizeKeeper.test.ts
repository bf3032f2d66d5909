import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Size } from '../../workspace/terminal.ts'
import { SizeKeeper } from './sizeKeeper.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function keeper(first: Size) {
  const world = { size: first as Size | null, connected: true, told: [] as string[] }
  const sizes = new SizeKeeper(first, {
    current: () => world.size,
    isConnected: () => world.connected,
    tell: ({ cols, rows }) => void world.told.push(`daemon ${cols}x${rows}`),
    tellHolder: ({ cols, rows }) => void world.told.push(`holder ${cols}x${rows}`),
  })
  const drag = (...widths: number[]) => {
    for (const cols of widths) {
      world.size = { cols, rows: 24 }
      sizes.windowChanged()
      vi.advanceTimersByTime(10)
    }
    vi.advanceTimersByTime(50)
  }
  return { world, sizes, drag }
}

describe('the size of the window', () => {
  it('is told once it has settled', () => {
    const { world, drag } = keeper({ cols: 80, rows: 24 })
    drag(81, 82, 83)
    expect(world.told).toEqual(['daemon 83x24'])
  })

  it('is not told again when nothing changed, nor when the window is hidden', () => {
    const { world, sizes, drag } = keeper({ cols: 80, rows: 24 })
    drag(90, 80)
    world.size = null
    sizes.windowChanged()
    vi.advanceTimersByTime(100)
    expect(world.told).toEqual([])
  })

  it('goes to the holder while the daemon is away, and to the daemon when it is back', () => {
    const { world, sizes, drag } = keeper({ cols: 80, rows: 24 })
    world.connected = false
    drag(100)
    world.connected = true
    sizes.daemonIsBack()
    sizes.daemonIsBack()
    expect(world.told).toEqual(['holder 100x24', 'daemon 100x24'])
  })
})
