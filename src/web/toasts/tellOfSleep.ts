import type { Parts } from '../hooks/parts.ts'
import { dismissed, NO_NEWS, stepNews, toastWordsOf } from './sleepNews.ts'

const ID = 'slept'
/** Long enough to be read after the user returns to the page. */
const SHOWN_FOR_MS = 60_000

/** Says that terminals were put to sleep by themselves, and takes it back. */
export function tellOfSleep({ page, tiles }: Parts): void {
  let news = NO_NEWS
  page.subscribe(() => {
    const { terminals } = page.state
    if (terminals === null) return
    const isShown = page.toasts.shown.some(({ id }) => id === ID)
    const before = isShown ? news : dismissed(news)
    news = stepNews(before, terminals)
    if (news.slept.join() === before.slept.join()) return
    const words = toastWordsOf(news, terminals)
    if (words === null) return page.toasts.dismiss(ID)
    const { slept } = news
    const wake = (): void => {
      for (const id of slept) void tiles.wake(id, { mode: 'resume' })
    }
    page.toasts.show({
      id: ID,
      text: words.text,
      action: page.may('terminal.wake') ? { label: words.wake, run: wake } : null,
      forMs: SHOWN_FOR_MS,
    })
  })
}
