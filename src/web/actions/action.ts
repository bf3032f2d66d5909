/** One row of the table of actions. */
import type { CommandName } from '../../wire/commands/commands.ts'
import type { Parts } from '../hooks/parts.ts'
import type { PageState } from '../state/page.ts'

export type Action = {
  readonly id: string
  readonly title: string
  /** A title that names what it would act on now; left out, or null: `title`. */
  readonly titleNow?: (state: Pick<PageState, 'terminals' | 'topology' | 'focused'>) => string | null
  /** Where it stands in lists. */
  readonly group: 'Terminal' | 'Layout' | 'Canvas' | 'Workspace' | 'Checkpoints' | 'Page'
  /** As in `Mod+Shift+K`; null: none, unless the settings say so. */
  readonly keys: string | null
  /** Further words by which it is found. */
  readonly also?: string
  /** The command that it asks the daemon for: a browser that may not ask for it is not offered the action. Null: it asks for nothing. */
  readonly asks: CommandName | null
  /** Whether it can be done now; left out: always. */
  readonly isPossible?: (parts: Parts) => boolean
  readonly run: (parts: Parts) => void
}

/** Whether this browser may, and whether it can be done now. */
export const isPossible = ({ asks, isPossible = () => true }: Action, parts: Parts): boolean =>
  (asks === null || parts.page.may(asks)) && isPossible(parts)

/** Of the settings, by the id of the action. */
export type ChosenKeys = Readonly<Record<string, string>>

/** The keys of an action: as chosen, else the usual ones; null when it has none. */
export const keysOf = (action: Action, chosen: ChosenKeys): string | null => (chosen[action.id] ?? action.keys) || null
