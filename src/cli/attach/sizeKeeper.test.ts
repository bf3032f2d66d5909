import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SizedBy } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import { type ForeignSize, SizeKeeper } from './sizeKeeper.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ME: SizedBy = { kind: 'client', client: 1, who: 'attach' }
const PAGE: SizedBy = { kind: 'client', client: 2, who: 'page' }
const at = (cols: number): Size => ({ cols, rows: 24 })

/** A window of 80 columns on a program of 80 columns; the daemon answers as `by` says. */
function keeper({ by = ME, program = at(80) }: { by?: SizedBy; program?: Size } = {}) {
  const world = { size: at(80) as Size | null, connected: true, by, told: [] as string[], foreign: [] as (ForeignSize | null)[] }
  const looked = () => ({ leads: world.by === ME, sizedBy: world.by })
  const sizes = new SizeKeeper(
    { told: world.size, looked: looked(), program },
    {
      current: () => world.size,
      isConnected: () => world.connected,
      look: ({ cols }, lead) => {
        world.told.push(`look ${cols} ${lead}`)
        return Promise.resolve(looked())
      },
      tellHolder: ({ cols }) => void world.told.push(`holder ${cols}`),
      onForeign: (foreign) => void world.foreign.push(foreign),
    },
  )
  const drag = async (...widths: number[]) => {
    for (const cols of widths) {
      world.size = at(cols)
      sizes.windowChanged()
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(50)
  }
  const settled = () => vi.advanceTimersByTimeAsync(1_000)
  return { world, sizes, drag, settled }
}

describe('the size of the window', () => {
  it('is told once it has settled', async () => {
    const { world, drag } = keeper()
    await drag(81, 82, 83)
    expect(world.told).toEqual(['look 83 ifFree'])
  })

  it('is not told again when nothing changed, nor when the window is hidden', async () => {
    const { world, sizes, drag, settled } = keeper()
    await drag(90, 80)
    world.size = null
    sizes.windowChanged()
    await settled()
    expect(world.told).toEqual([])
  })

  it('goes to the holder while the daemon is away, if this window led, and it leads again when the daemon is back', async () => {
    const { world, sizes, drag, settled } = keeper()
    world.connected = false
    await drag(100)
    sizes.programSized(at(100))
    world.connected = true
    sizes.daemonIsBack()
    await settled()
    expect(world.told).toEqual(['holder 100', 'look 100 ifFree'])
  })

  it('does not ask to lead after a restart of the daemon if it did not lead before', async () => {
    const { world, sizes, drag, settled } = keeper()
    sizes.programSized(at(120))
    await settled()
    world.told.length = 0
    world.connected = false
    await drag(100)
    world.connected = true
    sizes.daemonIsBack()
    await settled()
    expect(world.told[0]).toBe('look 100 no')
    expect(world.told).not.toContain('holder 100')
  })
})

describe('typing', () => {
  it('asks to lead where the program has another size, once until that changes', async () => {
    const { world, sizes, settled } = keeper({ by: PAGE, program: at(120) })
    sizes.typed()
    sizes.typed()
    await settled()
    sizes.typed()
    expect(world.told.filter((told) => told.endsWith('yes'))).toEqual(['look 80 yes'])
    sizes.programSized(at(80))
    sizes.typed()
    sizes.programSized(at(120))
    sizes.typed()
    expect(world.told.filter((told) => told.endsWith('yes'))).toHaveLength(2)
  })

  it('asks for nothing where the size is the window’s own', () => {
    const { world, sizes } = keeper()
    sizes.typed()
    expect(world.told).toEqual([])
  })
})

describe('a size that somebody else decides', () => {
  it('is said with whose it is, and when it is over', async () => {
    const { world, sizes, settled } = keeper()
    world.by = PAGE
    sizes.programSized(at(120))
    await settled()
    sizes.programSized(at(80))
    await settled()
    expect(world.foreign).toEqual([{ size: at(120), sizedBy: PAGE }, null])
  })

  it('is not said while the program follows this window, one step behind', async () => {
    const { world, sizes, drag, settled } = keeper()
    await drag(90)
    sizes.programSized(at(90))
    await drag(100)
    await vi.advanceTimersByTimeAsync(20)
    sizes.programSized(at(100))
    await settled()
    expect(world.foreign).toEqual([])
  })

  it('is not said where the daemon says that this window leads, however long its size takes', async () => {
    const { world, sizes, settled } = keeper({ program: at(120) })
    sizes.start()
    await settled()
    sizes.programSized(at(80))
    await settled()
    expect(world.foreign).toEqual([])
  })

  it('is said at the start', async () => {
    const { world, sizes, settled } = keeper({ by: PAGE, program: at(120) })
    sizes.start()
    await settled()
    expect(world.foreign).toEqual([{ size: at(120), sizedBy: PAGE }])
  })
})
