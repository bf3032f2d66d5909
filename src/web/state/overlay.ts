/** What can lie over the workspace. */
import { assertNever } from '../../base/assertNever.ts'
import type { CommandName } from '../../wire/commands/commands.ts'
import type { Where } from '../../workspace/layout/layout.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'

/** How a terminal is to be woken. `confirmed`: the user has seen what an imported one runs. */
export type Wish = {
  readonly mode: 'resume' | 'fresh'
  readonly conversation?: string
  readonly withoutArguments?: boolean
  readonly asShown?: boolean
  readonly size?: Size
  readonly confirmed?: boolean
}

/** Where a new terminal goes; null: where there is most room in the workspace that is shown. */
export type NewPlace = { readonly terminal: string; readonly where: Where } | null

/** What the palette chooses among, where it is not everything. */
export type Topic =
  | { readonly kind: 'theme'; readonly terminal: string }
  | { readonly kind: 'move'; readonly terminal: string }
  | { readonly kind: 'afterCrash'; readonly terminal: string }
  | { readonly kind: 'closed' }

/** What is asked in one field. */
export type Question =
  | { readonly kind: 'checkpointNote' }
  | { readonly kind: 'exportTo'; readonly checkpoint: string | null }
  | { readonly kind: 'importFrom' }

/** What is only to be read. */
export type Reading =
  | { readonly kind: 'terminal'; readonly terminal: string }
  | { readonly kind: 'agentLog'; readonly terminal: string }
  | { readonly kind: 'daemon' }
  | { readonly kind: 'login' }
  | { readonly kind: 'notices' }
  | { readonly kind: 'authLog' }

/** What is asked about workspaces and groups. The names of workspaces are written in the bar itself. */
export type PlaceAsk =
  | { readonly kind: 'newWorkspace'; readonly group: string | null }
  | { readonly kind: 'renameWorkspace'; readonly workspace: string }
  | { readonly kind: 'closeWorkspace'; readonly workspace: string }
  | { readonly kind: 'newGroup' }
  | { readonly kind: 'renameGroup'; readonly group: string }

/** What lies over the workspace and has the keyboard; one at a time. */
export type Overlay =
  | { readonly kind: 'palette'; readonly text: string; readonly topic?: Topic }
  | { readonly kind: 'newTerminal'; readonly place: NewPlace }
  | { readonly kind: 'rename'; readonly terminal: string }
  | { readonly kind: 'close'; readonly terminal: string }
  | { readonly kind: 'forget'; readonly terminal: string }
  /** `why` is what would be lost. */
  | { readonly kind: 'sleep'; readonly terminal: string; readonly why: string }
  | { readonly kind: 'conversation'; readonly terminal: string }
  /** What an imported terminal would run, before it does for the first time. */
  | { readonly kind: 'trust'; readonly terminal: string; readonly wish: Wish }
  /** It is not certain how to start its agent as it was started. */
  | { readonly kind: 'unsure'; readonly terminal: string }
  | { readonly kind: 'place'; readonly ask: PlaceAsk }
  /** The timeline of checkpoints, at one of them; null: at the newest. */
  | { readonly kind: 'travel'; readonly checkpoint: string | null }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'reading'; readonly reading: Reading }
  | { readonly kind: 'startOver' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'devices' }
  | { readonly kind: 'health' }
  /** What a browser that may only look can do. */
  | { readonly kind: 'viewOnly' }
  /** The dock as a sheet, on a phone. */
  | { readonly kind: 'dock' }

const PLACE_COMMANDS: Readonly<Record<PlaceAsk['kind'], CommandName>> = {
  newWorkspace: 'workspace.new',
  renameWorkspace: 'workspace.rename',
  closeWorkspace: 'workspace.close',
  newGroup: 'group.new',
  renameGroup: 'group.rename',
}

const QUESTION_COMMANDS: Readonly<Record<Question['kind'], CommandName>> = {
  checkpointNote: 'checkpoint.create',
  exportTo: 'workspace.export',
  importFrom: 'workspace.import',
}

const READING_COMMANDS: Readonly<Record<Reading['kind'], CommandName | null>> = {
  terminal: 'terminal.read',
  agentLog: 'agent.log',
  daemon: 'daemon.status',
  login: 'web.login',
  notices: null,
  authLog: 'device.log',
}

const TOPIC_COMMANDS: Readonly<Record<Topic['kind'], CommandName>> = {
  theme: 'terminal.theme',
  move: 'terminal.move',
  afterCrash: 'restore.set',
  closed: 'terminal.closed',
}

/** What it asks the daemon for: a browser that may not ask for that is not offered it. Null: nothing. */
export function commandOf(overlay: Overlay): CommandName | null {
  switch (overlay.kind) {
    case 'palette':
      return overlay.topic === undefined ? null : TOPIC_COMMANDS[overlay.topic.kind]
    case 'newTerminal':
      return 'terminal.new'
    case 'rename':
      return 'terminal.rename'
    case 'close':
      return 'terminal.close'
    case 'forget':
      return 'forget.apply'
    case 'sleep':
      return 'terminal.sleep'
    case 'conversation':
    case 'trust':
    case 'unsure':
      return 'terminal.wake'
    case 'place':
      return PLACE_COMMANDS[overlay.ask.kind]
    case 'travel':
      return 'checkpoint.list'
    case 'question':
      return QUESTION_COMMANDS[overlay.question.kind]
    case 'reading':
      return READING_COMMANDS[overlay.reading.kind]
    case 'startOver':
      return 'workspace.startOver'
    case 'settings':
    case 'shortcuts':
      return 'config.set'
    case 'devices':
      return 'device.list'
    case 'health':
      return 'health.show'
    case 'viewOnly':
    case 'dock':
      return null
    default:
      return assertNever(overlay)
  }
}

/** Whether what it is about is still there: a terminal may be closed elsewhere. */
export function isStillThere(overlay: Overlay | null, terminals: readonly { readonly id: string }[]): boolean {
  const about = terminalOf(overlay)
  return about === null || terminals.some(({ id }) => id === about)
}

/** The id of the terminal that it is about. */
export function terminalOf(overlay: Overlay | null): string | null {
  switch (overlay?.kind) {
    case 'rename':
    case 'close':
    case 'forget':
    case 'sleep':
    case 'conversation':
    case 'trust':
    case 'unsure':
      return overlay.terminal
    case 'reading':
      return 'terminal' in overlay.reading ? overlay.reading.terminal : null
    case 'palette':
      return overlay.topic !== undefined && 'terminal' in overlay.topic ? overlay.topic.terminal : null
    default:
      return null
  }
}
