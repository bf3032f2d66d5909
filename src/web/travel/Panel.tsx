import { type ReactNode, useEffect, useRef } from 'react'
import type { Refusal } from '../../base/refusal.ts'

type Props = {
  readonly title: string
  readonly refusal: Refusal | null
  readonly children: ReactNode
  readonly choices: ReactNode
}

/** Asks or tells something about the chosen checkpoint, below its preview. It has the keyboard while it does. */
export function Panel({ title, refusal, children, choices }: Props) {
  const own = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another question, and its buttons are others
  useEffect(() => own.current?.focus(), [title])
  return (
    <section ref={own} className="travelPanel" tabIndex={-1} aria-labelledby="panelTitle">
      <h3 id="panelTitle">{title}</h3>
      {children}
      {refusal !== null && (
        <p className="wrong" role="alert">
          {refusal.message} {refusal.hint}
        </p>
      )}
      <div className="choices">{choices}</div>
    </section>
  )
}
