/** A new terminal as it is filled in: what it would start, and which field a refusal belongs to. Pure. */
import type { Refusal } from '../../../base/refusal.ts'
import type { Outcome } from '../../../wire/commands/commands.ts'
import type { RepositoryShown } from '../../../wire/commands/directory.ts'
import type { ProgramGrant } from '../../../workspace/terminal/terminal.ts'
import type { NewTerminal } from '../../state/newTerminal.ts'
import type { NewPlace } from '../../state/overlay.ts'
import { splitWords } from './splitWords.ts'

type Installed = Outcome<'agent.installed'>[number]

export type Program = { readonly kind: 'shell' } | { readonly kind: 'agent'; readonly agent: Installed } | { readonly kind: 'command' }

/** Where it stands: beside a terminal, or in a workspace where there is room. */
export type Place =
  | { readonly kind: 'beside'; readonly beside: NonNullable<NewPlace> }
  | { readonly kind: 'workspace'; readonly workspace: string }
  | { readonly kind: 'room' }

export type Draft = {
  readonly directory: string
  readonly program: Program
  /** The command with its arguments, or the arguments of an agent, as they are typed. */
  readonly line: string
  readonly name: string
  /** Null: in the directory as it is. An empty path is the one that is suggested. */
  readonly worktree: { readonly branch: string; readonly path: string } | null
  readonly place: Place
  readonly isPrivate: boolean
  /** What its programs may do through HOLDFAST_SOCKET; null: as the settings say. */
  readonly may: ProgramGrant | null
}

type Field = 'directory' | 'line' | 'name' | 'worktree' | 'form'
export type Faults = Readonly<Partial<Record<Field, string>>>

export const emptyDraft = (directory: string, place: NewPlace): Draft => ({
  directory,
  program: { kind: 'shell' },
  line: '',
  name: '',
  worktree: null,
  place: place === null ? { kind: 'room' } : { kind: 'beside', beside: place },
  isPrivate: false,
  may: null,
})

export type Checked = { readonly ok: true; readonly wish: NewTerminal } | { readonly ok: false; readonly faults: Faults }

/** What would be asked of the daemon; what can be seen to be wrong is told before. */
export function check(draft: Draft): Checked {
  const started = programOf(draft)
  const faults: Faults = {
    ...(draft.directory.trim() === '' ? { directory: 'The directory is missing.' } : {}),
    ...('why' in started ? { line: started.why } : {}),
    ...(draft.worktree?.branch.trim() === '' ? { worktree: 'The branch is missing.' } : {}),
    ...(draft.worktree !== null && !isPathOrEmpty(draft.worktree.path) ? { worktree: 'The path must begin with a slash.' } : {}),
  }
  if (Object.keys(faults).length > 0 || 'why' in started) return { ok: false, faults }
  const name = draft.name.trim()
  const named = name === '' ? {} : { name }
  const granted = draft.may === null ? {} : { may: draft.may }
  const shared = { cwd: draft.directory.trim(), isPrivate: draft.isPrivate, ...granted, ...named, ...started, ...placeOf(draft.place) }
  return { ok: true, wish: shared }
}

const isPathOrEmpty = (path: string): boolean => path.trim() === '' || path.trim().startsWith('/')

type Started = { readonly command?: string; readonly args: readonly string[] }

function programOf({ program, line }: Draft): Started | { readonly why: string } {
  if (program.kind === 'shell') return { args: [] }
  const split = splitWords(line)
  if (!split.ok) return split
  if (program.kind === 'agent') return { command: program.agent.command, args: split.words }
  const [command, ...args] = split.words
  return command === undefined || command === '' ? { why: 'The command is missing.' } : { command, args }
}

function placeOf(place: Place): Pick<NewTerminal, 'place' | 'workspace'> {
  switch (place.kind) {
    case 'room':
      return {}
    case 'workspace':
      return { workspace: place.workspace }
    case 'beside':
      return { place: place.beside }
  }
}

const FIELDS: Readonly<Record<string, Field>> = {
  'cwd-missing': 'directory',
  'cwd-not-directory': 'directory',
  'command-not-found': 'line',
  'command-not-executable': 'line',
  'name-taken': 'name',
  'name-invalid': 'name',
  'repository-not-found': 'worktree',
  'repository-empty': 'worktree',
  'base-unknown': 'worktree',
}

/** A refusal at the field that it is about. Hints speak of the CLI's options there; the field speaks for itself. */
export function faultsOf({ code, message, hint }: Refusal): Faults {
  const field = FIELDS[code] ?? (/^(worktree|branch)-/.test(code) ? 'worktree' : 'form')
  return { [field]: hint.includes('--') ? message : `${message} ${hint}` }
}

/** What a worktree is called until something else is typed. */
export const suggestedWorktree = ({ suggested }: RepositoryShown): NonNullable<Draft['worktree']> => ({
  branch: suggested.branch,
  path: '',
})

/** Where the worktree of a branch would be, as far as the suggestion tells: its last part follows the branch. */
export function pathFor({ suggested }: RepositoryShown, branch: string): string {
  const [old, now] = [slug(suggested.branch), slug(branch)]
  const at = suggested.path.lastIndexOf(old)
  return old === '' || now === '' || at === -1 ? suggested.path : suggested.path.slice(0, at) + now + suggested.path.slice(at + old.length)
}

const slug = (branch: string): string => branch.trim().replaceAll('/', '-')
