/**
 * What every view may use: the page, the tiles, and hooks that select what a component draws. A component that selects little renders
 * rarely: a new title renders one row of the dock and one title bar (test/e2e/pageRenders.test.ts). This folder imports state/ and tiles/.
 */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { WorkspaceView } from '../../wire/topologyView.ts'
import type { TerminalView } from '../../wire/view.ts'
import { isSame } from '../state/isSame.ts'
import type { Page, PageState } from '../state/page.ts'
import { workspacesOf } from '../state/standing.ts'
import { nameOf } from '../state/words.ts'
import type { Appearance } from '../tiles/draw/appearance.ts'
import type { TileState } from '../tiles/tileState.ts'
import type { Tiles } from '../tiles/tiles.ts'

export type Parts = { readonly page: Page; readonly tiles: Tiles }

export const PartsContext = createContext<Parts | null>(null)

export function useParts(): Parts {
  const parts = useContext(PartsContext)
  if (parts === null) throw new Error('a view stands outside of the page')
  return parts
}

/**
 * The part of the page's state that a component draws. The component renders again only when that part differs, compared by its
 * content: select as little as possible, never the whole state.
 */
export function usePage<Value>(select: (state: PageState) => Value): Value {
  const { page } = useParts()
  return useSelected(page.subscribe, () => select(page.state))
}

export const useTerminal = (id: string | null): TerminalView | null => usePage((state) => terminalIn(state, id))

/** Draws something about a terminal, again when its record changes, and nothing once it is gone. What is around it stays as it is. */
export function OfTerminal({ id, children }: { readonly id: string; readonly children: (terminal: TerminalView) => ReactNode }): ReactNode {
  const terminal = useTerminal(id)
  return terminal === null ? null : children(terminal)
}

/** The workspace that is shown. */
export const useWorkspace = (): WorkspaceView | null =>
  usePage(({ topology, workspace }) => workspacesOf(topology).find(({ id }) => id === workspace) ?? null)

export const terminalIn = ({ terminals }: Pick<PageState, 'terminals'>, id: string | null): TerminalView | null =>
  terminals?.find((terminal) => terminal.id === id) ?? null

/** Its name as it is shown; null once the terminal is gone. */
export function nameIn(state: Pick<PageState, 'terminals'>, id: string): string | null {
  const terminal = terminalIn(state, id)
  return terminal === null ? null : nameOf(terminal)
}

/** Whether this browser may ask the daemon for a command. */
export function useMay(): Page['may'] {
  usePage(({ access }) => access) // renders again when the answer changes
  return useParts().page.may
}

/** The part of a tile's state that a component draws. */
export function useTile<Value>(id: string, select: (state: TileState) => Value): Value {
  const { tiles } = useParts()
  return useSelected(tiles.subscribe, () => select(tiles.stateOf(id)))
}

/** The selected value keeps its identity while its content stays the same. */
function useSelected<Value>(subscribe: (listener: () => void) => () => void, read: () => Value): Value {
  const last = useRef<{ readonly value: Value } | null>(null)
  return useSyncExternalStore(subscribe, () => {
    const value = read()
    if (last.current === null || !isSame(last.current.value, value)) last.current = { value }
    return last.current.value
  })
}

/** How a terminal with this color scheme is drawn. */
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

/** The asleep terminal whose history is being read. */
export function useReading(): string | null {
  const { tiles } = useParts()
  return useSyncExternalStore(tiles.subscribe, () => tiles.reading)
}

const AGES_EVERY_MS = 20_000

export function useNow(everyMs = AGES_EVERY_MS): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
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
