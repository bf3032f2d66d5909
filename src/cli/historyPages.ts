/** A terminal's lines by number, put together from as many pages as it takes. */
import { done, type Result } from '../base/refusal.ts'
import type { Host } from './host.ts'
import type { LineRange } from './parse.ts'

/** As many as the daemon gives at once; a page of very long lines may have fewer. */
const PAGE_LINES = 10_000

export type Pages = {
  /** The oldest line that is still there. */
  readonly first: number
  /** The number of the first line here. */
  readonly from: number
  /** The number after the last line there is. */
  readonly end: number
  readonly lines: readonly string[]
}

type Asked = LineRange & { readonly terminal: string; readonly format: 'text' | 'ansi' }

/**
 * Newest page first: old ones may go away meanwhile, and then what is here is still without a hole. From a line below 0 on,
 * the lines of the run before are among them.
 */
export async function readPages(host: Pick<Host, 'ask'>, { terminal, format, from, to }: Asked): Promise<Result<Pages>> {
  const pages: (readonly string[])[] = []
  let before = to === null ? null : to + 1
  while (true) {
    const count = before === null ? PAGE_LINES : Math.max(1, Math.min(PAGE_LINES, before - from))
    const page = await host.ask('terminal.history', { terminal, count, format, ...(before === null ? {} : { before }) })
    if (!page.ok) return page
    const { first, end, oldest = first, ...found } = page.value.result
    const lines = found.lines.slice(Math.max(0, from - found.from))
    pages.unshift(lines)
    before = found.from
    if (lines.length === 0 || before <= Math.max(from < 0 ? oldest : first, from))
      return done({ first, end, from: Math.max(before, from), lines: pages.flat() })
  }
}
