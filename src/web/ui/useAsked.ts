/** What was asked of the daemon, as it is known so far. */
import { useEffect, useState } from 'react'
import type { Refusal, Result } from '../../base/refusal.ts'

export type Asked<Value> =
  | { readonly kind: 'idle' }
  /** `last` is what was answered before, so that nothing flickers. */
  | { readonly kind: 'asking'; readonly last: Value | null }
  | { readonly kind: 'answered'; readonly value: Value }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

const IDLE: Asked<never> = { kind: 'idle' }

export const lastOf = <Value>(asked: Asked<Value>): Value | null =>
  asked.kind === 'answered' ? asked.value : asked.kind === 'asking' ? asked.last : null

type Question<Value> = {
  /** Asked anew whenever it is another one; null: nothing is asked. */
  readonly key: string | null
  readonly ask: () => Promise<Result<Value>>
  /** How long the key must have been the same. */
  readonly afterMs?: number
}

export function useAsked<Value>({ key, ask, afterMs = 0 }: Question<Value>): Asked<Value> {
  const [asked, setAsked] = useState<Asked<Value>>(IDLE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked
  useEffect(() => {
    if (key === null) return setAsked(IDLE)
    let isCurrent = true
    setAsked((before) => ({ kind: 'asking', last: lastOf(before) }))
    const timer = setTimeout(() => {
      void ask().then((answer) => {
        if (isCurrent) setAsked(answer.ok ? { kind: 'answered', value: answer.value } : { kind: 'refused', refusal: answer.refusal })
      })
    }, afterMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key, afterMs])
  return asked
}
