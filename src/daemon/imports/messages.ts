/** What the thread for files is asked, and what it answers, once. */
import type { Exported } from '../../store/exportFile.ts'
import type { KeptSnapshot } from '../../store/store.ts'

export type FileJob =
  | { readonly kind: 'read'; readonly file: string; readonly passphrase: string | null }
  | {
      readonly kind: 'write'
      readonly file: string
      readonly exported: Exported
      /** Replaces a file that is there. */
      readonly force: boolean
      /** Null: it is not sealed. */
      readonly passphrase: string | null
    }
  | { readonly kind: 'repaint'; readonly snapshots: readonly KeptSnapshot[] }

export type FileOutcome =
  | { readonly kind: 'read'; readonly exported: Exported }
  | { readonly kind: 'written'; readonly bytes: number }
  /** Without those that are no snapshots. */
  | { readonly kind: 'repainted'; readonly snapshots: readonly KeptSnapshot[] }
  | { readonly kind: 'exists' }
  /** It is sealed, and no passphrase was given. */
  | { readonly kind: 'sealed' }
  | { readonly kind: 'passphraseWrong' }
  | { readonly kind: 'failed'; readonly why: string }
