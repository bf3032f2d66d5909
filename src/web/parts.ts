/** What every view may use, without being handed it through each other. */
import { createContext, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Page, PageState } from './page.ts'
import type { Appearance } from './tiles/appearance.ts'
import type { TileState } from './tiles/tileState.ts'
import type { Tiles } from './tiles/tiles.ts'

export type Parts = { readonly page: Page; readonly tiles: Tiles }

export const PartsContext = createContext<Parts | null>(null)

export function useParts(): Parts {
  const parts = useContext(PartsContext)
  if (parts === null) throw new Error('a view stands outside of the page')
  return parts
}

export function usePageState(): PageState {
  const { page } = useParts()
  return useSyncExternalStore(page.subscribe, () => page.state)
}

/** Whether this browser may ask the daemon for a command. */
export function useMay(): Page['may'] {
  usePageState() // drawn again when that changes
  return useParts().page.may
}

export function useTileState(id: string): TileState {
  const { tiles } = useParts()
  return useSyncExternalStore(tiles.subscribe, () => tiles.stateOf(id))
}

/** How a terminal with this scheme of its own is drawn. */
export function useAppearance(theme: string | null): Appearance {
  const { page, tiles } = useParts()
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [page.subscribe(listener), tiles.look.subscribe(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    [page, tiles],
  )
  const key = useSyncExternalStore(subscribe, () => JSON.stringify(tiles.appearanceFor(theme)))
  return useMemo(() => JSON.parse(key) as Appearance, [key])
}

/** The terminal that sleeps and whose history is being read. */
export function useReading(): string | null {
  const { tiles } = useParts()
  return useSyncExternalStore(tiles.subscribe, () => tiles.reading)
}

const AGES_EVERY_MS = 20_000

export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), AGES_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Whether the page is as narrow as a phone, or as low as one that lies on its side: one terminal at a time then. */
export const useIsNarrow = (): boolean => useMedia(NARROW)

/** Whether it is worked with fingers, on a keyboard that lacks keys. */
export const useIsCoarse = (): boolean => useMedia(COARSE)

const NARROW = matchMedia('(max-width: 700px), (pointer: coarse) and (max-height: 500px)')
const COARSE = matchMedia('(pointer: coarse)')

function useMedia(media: MediaQueryList): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [media],
  )
  return useSyncExternalStore(subscribe, () => media.matches)
}
