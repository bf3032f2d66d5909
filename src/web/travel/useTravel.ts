/** What the daemon tells about checkpoints while the timeline is open: all of them, and the chosen one with what is different now. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Refusal } from '../../base/refusal.ts'
import type { CheckpointView } from '../../wire/checkpointView.ts'
import { usePage, useParts } from '../hooks/parts.ts'
import type { PageState } from '../state/page.ts'
import { lastOf, useAsked } from '../ui/useAsked.ts'
import { type Since, sinceThen } from './sinceThen.ts'
import { type Checkpoint, stillChosen } from './timeline.ts'

const LOOK_EVERY_MS = 4_000
/** Debounces the selection: only the checkpoint where the user stops is loaded. */
const SHOW_AFTER_MS = 90
const COMPARE_AFTER_MS = 250

export type Travel = {
  /** Newest first; null until the daemon has answered. */
  readonly all: readonly Checkpoint[] | null
  readonly refusal: Refusal | null
  readonly refresh: () => Promise<void>
  readonly chosen: Checkpoint | null
  readonly choose: (id: string) => void
}

/** Others take and delete checkpoints too: the list is asked for again and again. */
export function useTravel(first: string | null): Travel {
  const { page } = useParts()
  const [all, setAll] = useState<readonly Checkpoint[] | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [chosen, setChosen] = useState(first)
  const known = useRef<readonly Checkpoint[]>([])
  const refresh = useCallback(async () => {
    const answer = await page.ask('checkpoint.list', {})
    setRefusal(answer.ok ? null : answer.refusal)
    if (!answer.ok) return
    const before = known.current
    known.current = answer.value
    if (idsOf(before) !== idsOf(answer.value) || before.length === 0) setAll(answer.value)
    setChosen((id) => stillChosen(before, answer.value, id))
  }, [page])
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => document.visibilityState === 'visible' && void refresh(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [refresh])
  return { all, refusal, refresh, chosen: all?.find(({ id }) => id === chosen) ?? null, choose: setChosen }
}

const idsOf = (all: readonly Checkpoint[]): string => all.map(({ id }) => id).join()

export type Looked = {
  /** The chosen one, or, until it is here, the one before it. */
  readonly shown: CheckpointView | null
  readonly refusal: Refusal | null
  readonly since: Since | null
  readonly sinceRefusal: Refusal | null
  /** Those of which the daemon has said so: it finds damage when it is asked for the whole of one. */
  readonly damaged: ReadonlySet<string>
}

export function useLooked(chosen: string | null): Looked {
  const { page } = useParts()
  const topology = usePage((state) => state.topology)
  const structure = usePage(structureOf)
  const [damaged, setDamaged] = useState<ReadonlySet<string>>(new Set())
  const asked = useAsked({
    key: chosen,
    ask: async () => {
      const answer = await page.ask('checkpoint.show', { checkpoint: chosen ?? '' })
      const isDamaged = !answer.ok && answer.refusal.code === 'checkpoint-damaged' && chosen !== null
      if (isDamaged) setDamaged((before) => new Set([...before, chosen]))
      return answer
    },
    afterMs: SHOW_AFTER_MS,
  })
  const compared = useAsked({
    key: chosen === null ? null : `${chosen} ${structure}`,
    ask: () => page.ask('checkpoint.diff', { from: chosen ?? '', to: 'now' }),
    afterMs: COMPARE_AFTER_MS,
  })
  const shown = lastOf(asked)
  const difference = lastOf(compared)
  const since = useMemo(
    () => (shown === null || difference?.from !== shown.id ? null : sinceThen(difference.diff, shown.topology, topology)),
    [shown, difference, topology],
  )
  return {
    shown: asked.kind === 'refused' ? null : shown,
    refusal: asked.kind === 'refused' ? asked.refusal : null,
    since,
    sinceRefusal: compared.kind === 'refused' ? compared.refusal : null,
    damaged,
  }
}

/** What of the present makes a difference to a checkpoint; titles and agents that work do not. */
function structureOf({ topology, terminals }: PageState): string {
  return `${JSON.stringify(topology)} ${(terminals ?? []).map(({ id, state, name, directory }) => [id, state, name, directory].join()).join(' ')}`
}
