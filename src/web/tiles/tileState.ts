/** What is known of a tile besides its terminal: what its place is, and what is said or asked in it. */
import type { CopyOffer } from './copyConsent.ts'
import type { HistoryNote } from './depth.ts'
import type { FindState } from './find.ts'
import type { PasteQuestion } from './pasteGuard.ts'
import type { UploadState } from './uploads.ts'
import type { Place } from './viewer.ts'

export type TileState = {
  /** The place that this page has for it. */
  readonly place: Place
  /** What is said about the history at the top of it. */
  readonly historyNote: HistoryNote | null
  /** The colour that its screen has. */
  readonly background: string
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
  background: '',
  unsent: null,
  link: null,
  copyAsked: null,
  paste: null,
  upload: null,
  isDropTarget: false,
  find: null,
}
