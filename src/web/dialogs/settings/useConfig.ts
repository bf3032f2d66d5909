/** The current config.toml: read again whenever a change affects the page. */
import { useState } from 'react'
import type { Refusal } from '../../../base/refusal.ts'
import type { Outcome } from '../../../wire/commands/commands.ts'
import { usePage, useParts } from '../../hooks/parts.ts'
import { type Asked, lastOf, useAsked } from '../../ui/useAsked.ts'

type Shown = Outcome<'config.show'>

export type Config = {
  readonly shown: Shown | null
  readonly refusal: Refusal | null
  /** Null takes it out of the file. What is refused is for the field to say. */
  readonly set: (key: string, value: unknown) => Promise<Refusal | null>
}

export function useConfig(): Config {
  const { page } = useParts()
  const settings = usePage(({ settings }) => settings)
  const asked: Asked<Shown> = useAsked({ key: JSON.stringify(settings), ask: () => page.ask('config.show', {}) })
  const [answered, setAnswered] = useState<{ readonly shown: Shown; readonly over: Shown | null } | null>(null)
  const told = lastOf(asked)
  const set = async (key: string, value: unknown): Promise<Refusal | null> => {
    const answer = await page.ask('config.set', { key, value })
    if (!answer.ok) return answer.refusal
    setAnswered({ shown: answer.value, over: told })
    return null
  }
  // What the change answered is newer than what was told before it, and older than what is told after it.
  const shown = answered !== null && answered.over === told ? answered.shown : told
  return { shown, refusal: asked.kind === 'refused' ? asked.refusal : null, set }
}
