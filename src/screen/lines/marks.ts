import { readLines } from '../cells/formats.ts'
import type { Engine } from '../engine/engine.ts'
import type { RawLines } from '../engine/internals.ts'

/** A moment on a screen: its top visible line, wherever that line goes. */
export type Mark = { readonly alternate: boolean; dispose(): void }

export type Marks = {
  mark(): Mark
  textSince(mark: Mark): string
  /** Lines move when the width changes; the engine knows where to. */
  aroundResize(resize: () => void): void
  /** The engine was replaced or reset: whatever is on the screen now is new. */
  restart(engine: Engine): void
  /** Looks whether the program reset the terminal. */
  refresh(): void
}

type Place = Mark & { line: number }

export function createMarks(first: Engine): Marks {
  let engine = first
  let watched: RawLines | null = null
  let watch: { dispose(): void } | null = null
  const places = new Set<Place>()
  const normal = () => engine.internals._bufferService.buffers.normal
  const forget = () => {
    watch?.dispose()
    watched = normal().lines
    watch = watched.onTrim((count) => {
      for (const place of places) place.line = Math.max(0, place.line - count)
    })
    for (const place of places) place.line = 0
  }
  forget()
  const marks: Marks = {
    mark() {
      const alternate = engine.internals._bufferService.buffers.active !== normal()
      const place: Place = { alternate, line: normal().ybase, dispose: () => void places.delete(place) }
      places.add(place)
      return place
    },
    textSince(mark) {
      const place = [...places].find((known) => known === mark)
      if (place === undefined) return ''
      const hidden = engine.internals._bufferService.buffers.active !== normal()
      return readLines(engine, { from: place.line, normal: !(place.alternate && hidden) })
    },
    aroundResize(resize) {
      const { terminal } = engine
      const cursor = normal().ybase + normal().y
      // The engine keeps no markers while the alternate buffer is shown; lines then stay where they are by count.
      const moving = [...places].map((place) => [place, terminal.registerMarker(place.line - cursor)] as const)
      resize()
      for (const [place, marker] of moving) {
        if (marker !== undefined && !marker.isDisposed) place.line = Math.max(0, marker.line)
        marker?.dispose()
      }
    },
    restart(next) {
      engine = next
      forget()
    },
    refresh() {
      if (normal().lines !== watched) forget()
    },
  }
  return marks
}
