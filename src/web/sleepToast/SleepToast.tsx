import { useEffect, useState } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { usePageState, useParts } from '../parts.ts'
import './sleepToast.css'
import { dismissed, NO_NEWS, SHOWN_FOR_MS, type SleepNews, stepNews, toastWordsOf } from './sleepToast.ts'

/** Says that terminals were put to sleep by themselves, and takes it back. */
export function SleepToast() {
  const { page } = useParts()
  const { terminals } = usePageState()
  const [news, setNews] = useState(NO_NEWS)
  useEffect(() => {
    if (terminals !== null) setNews((before) => stepNews(before, terminals, Date.now()))
  }, [terminals])
  useEffect(() => {
    if (news.slept.length === 0) return
    const timer = setTimeout(() => setNews(dismissed), Math.max(0, news.at + SHOWN_FOR_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [news])
  const wake = (): void => {
    for (const id of news.slept) void page.wake(id, { mode: 'resume' })
    setNews(dismissed)
  }
  return <Toast news={news} terminals={terminals ?? []} onWake={wake} onDismiss={() => setNews(dismissed)} />
}

type Props = {
  readonly news: SleepNews
  readonly terminals: readonly TerminalView[]
  readonly onWake: () => void
  readonly onDismiss: () => void
}

/** The place for it is always there: what comes into it is read out, a place that comes with its text is not. */
function Toast({ news, terminals, onWake, onDismiss }: Props) {
  const words = toastWordsOf(news, terminals)
  return (
    <div className="sleepToast" role="status" data-empty={words === null}>
      {words !== null && (
        <>
          <p>{words.text}</p>
          <button type="button" className="primary" onClick={onWake}>
            {words.wake}
          </button>
          <button type="button" onClick={onDismiss}>
            Dismiss
          </button>
        </>
      )}
    </div>
  )
}
