import { beforeEach, expect, it, vi } from 'vitest'
import { Find, type FindState, findWords } from './find.ts'
import type { Mark } from './finder.ts'

const QUERY = { text: 'needle', isCase: false, isRegex: false }

/** Lines with hits, counted from the end; drawing more of them adds older ones. */
let hits: number[]
let drawn: number
let depths: number[]
let marked: number | null
let state: FindState | null
let find: Find
let quick: boolean
let indexed: number

const markOf = (row: number | null): Mark => ({ below: 0, selected: row === null ? null : { column: 0, row: -row, length: 6 } })

beforeEach(() => {
  quick = true
  indexed = Number.POSITIVE_INFINITY
  ;[hits, drawn, depths, marked, state] = [[], 100, [1_000, 5_000], null, null]
  const here = () => hits.filter((row) => row <= drawn).sort((a, b) => a - b)
  find = new Find({
    screen: {
      find: (_, way) => {
        const rows = here()
        const older = rows.find((row) => row > (marked ?? 0)) ?? rows[0]
        const newer = rows.findLast((row) => row < (marked ?? Number.POSITIVE_INFINITY)) ?? rows.at(-1)
        marked = (way === 'up' ? older : newer) ?? null
        find.takeHits({ at: marked === null ? null : rows.length - rows.indexOf(marked), count: rows.length, isMore: false })
        return marked !== null
      },
      stopFinding: () => undefined,
      clearSelection: () => {
        marked = null
      },
      mark: () => markOf(marked),
      goTo: ({ selected }) => {
        marked = selected === null ? null : -selected.row
      },
    },
    scrollback: {
      get canDeepen() {
        return depths.length > 0
      },
      deepen: () => {
        const next = depths.shift()
        drawn = next ?? drawn
        return Promise.resolve(next !== undefined)
      },
    },
    isQuick: () => Promise.resolve(quick),
    countOlder: () =>
      Promise.resolve({
        count: hits.filter((row) => row > drawn && row <= indexed).length,
        isMore: false,
        isPending: indexed !== Number.POSITIVE_INFINITY,
      }),
    onState: (next) => {
      state = next
    },
  })
})

const over = () => vi.waitFor(() => expect(state?.isLooking).toBe(false))

it('begins with the newest hit, goes up and down, and round below', () => {
  hits = [10, 20, 30]
  find.set(QUERY)
  expect([marked, state?.hits]).toEqual([10, { at: 3, count: 3, isMore: false }])
  find.previous()
  expect(marked).toBe(20)
  find.next()
  find.next()
  expect(marked).toBe(30)
})

it('goes on into older lines above the oldest hit, through as many as it takes', async () => {
  hits = [10, 4_000]
  find.set(QUERY)
  find.previous()
  await over()
  expect([marked, drawn]).toEqual([4_000, 5_000])
})

it('stays where it was while it looks, and goes round once there is no more', async () => {
  hits = [10, 20]
  find.set(QUERY)
  find.previous()
  find.previous()
  expect(marked).toBe(20)
  await over()
  expect(marked).toBe(20)
  find.previous()
  expect(marked).toBe(10)
})

it('where nothing is drawn that fits, both ways lead to older lines', async () => {
  for (const go of ['next', 'previous'] as const) {
    ;[hits, drawn, depths] = [[700], 100, [1_000]]
    find.set({ ...QUERY })
    expect(marked).toBeNull()
    find[go]()
    await over()
    expect(marked).toBe(700)
  }
})

it('says how many there are, which one this is, and what is known of older ones', async () => {
  hits = [10, 20, 3_000]
  find.set(QUERY)
  expect(findWords(state!)).toBe('2 of 2')
  await vi.waitFor(() => expect(findWords(state!)).toBe('2 of 2, 1 older'))
  hits = []
  find.set({ ...QUERY })
  expect(findWords(state!)).toBe('No matches here, maybe more in older lines')
  depths = []
  find.set({ ...QUERY })
  expect(findWords(state!)).toBe('None')
})

it('asks again for older hits while the index has not read all lines', async () => {
  ;[hits, indexed] = [[10, 3_000], 100]
  find.set(QUERY)
  await vi.waitFor(() => expect(state?.older).toMatchObject({ count: 0, isPending: true }))
  indexed = Number.POSITIVE_INFINITY
  await vi.waitFor(() => expect(findWords(state!)).toBe('1 of 1, 1 older'), { timeout: 5_000 })
})

it('says what is no regular expression, and looks for nothing', () => {
  find.set({ text: '(', isCase: false, isRegex: true })
  expect(findWords(state!)).toBe('Not a regular expression')
  find.next()
  expect(marked).toBeNull()
})

it('remembers what was looked for, and takes what is selected instead', () => {
  find.set({ ...QUERY, isCase: true })
  find.close()
  expect([state, find.isOpen]).toEqual([null, false])
  find.open()
  expect(state?.query).toEqual({ ...QUERY, isCase: true })
  find.open('other')
  expect(state?.query.text).toBe('other')
})

it('does not run a regular expression that takes too long, says so, and runs the next one', async () => {
  hits = [10]
  quick = false
  find.set({ text: '(a+)+$', isCase: false, isRegex: true })
  await vi.waitFor(() => expect(state?.wrong).toContain('too slow'))
  find.next()
  find.previous()
  expect([marked, state === null ? '' : findWords(state)]).toEqual([null, 'Pattern is too slow: simplify it'])
  quick = true
  find.set({ text: 'a+$', isCase: false, isRegex: true })
  await vi.waitFor(() => expect(marked).toBe(10))
  expect(state?.wrong).toBeNull()
})

it('tries a regular expression again on older lines before it runs there', async () => {
  hits = [500]
  find.set({ text: 'needle+', isCase: false, isRegex: true })
  await vi.waitFor(() => expect(state?.hits.count).toBe(0))
  quick = false
  const shown = drawn
  find.previous()
  await vi.waitFor(() => expect(state?.wrong).toContain('too slow'))
  expect([drawn, marked]).toEqual([shown, null])
})
