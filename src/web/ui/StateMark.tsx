import type { ReactNode } from 'react'
import type { Mark } from '../state/words.ts'

const SHAPES: Readonly<Record<Mark, ReactNode>> = {
  live: <circle cx="8" cy="8" r="5" fill="currentColor" />,
  turning: <path d="M8 3a5 5 0 1 1-5 5" />,
  idle: <circle cx="8" cy="8" r="4.5" />,
  done: <path d="m3.5 8.5 3 3 6-7" />,
  asleep: <path d="M12.5 9.5A5 5 0 0 1 6.5 3.5a5 5 0 1 0 6 6Z" />,
  ended: <rect x="4" y="4" width="8" height="8" rx="1.5" />,
  bad: <path d="m4.5 4.5 7 7m0-7-7 7" />,
  warning: <path d="M8 3 14 13H2ZM8 7v2.5m0 1.6v.1" />,
}

export function StateMark({ mark }: { readonly mark: Mark }) {
  return (
    <svg className={`mark ${mark}`} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[mark]}
    </svg>
  )
}
