/** What was used last in this browser, by the ids of the palette's entries. */
import { decodeTexts, Remembered } from '../remembered.ts'
import { touched } from './ranking.ts'

export const RECENTS = new Remembered<readonly string[]>({ key: 'recents', usual: [], decode: decodeTexts })

export const remember = (id: string): void => {
  if (RECENTS.value[0] !== id) RECENTS.set(touched(RECENTS.value, id))
}
