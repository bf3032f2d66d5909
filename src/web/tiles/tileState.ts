/** What is known of a tile besides its terminal: what its place is, and what is said or asked in it. */

import type { HistoryNote, Place } from '../state/words.ts'
import type { FindState } from './find/find.ts'
import type { CopyOffer } from './transfer/copyConsent.ts'
import type { PasteQuestion } from './transfer/pasting.ts'
import type { UploadState } from './transfer/uploads.ts'

export type TileState = {
  /** The place that this page has for it. */
  readonly place: Place
  /** What is said about the history at the top of it. */
  readonly historyNote: HistoryNote | null
  /** Why what was typed just now was not sent. */
  readonly unsent: string | null
  /** Where the link leads that is pointed at. */
  readonly link: string | null
  /** What a program wants to put into the clipboard. */
  readonly copyAsked: CopyOffer | null
  readonly paste: PasteQuestion | null
  readonly upload: UploadState | null
  /** Files are held over it. */
  readonly isDropTarget: boolean
  readonly find: FindState | null
}

export const NEW_TILE: TileState = {
  place: { size: null, client: null },
  historyNote: null,
  unsent: null,
  link: null,
  copyAsked: null,
  paste: null,
  upload: null,
  isDropTarget: false,
  find: null,
}
