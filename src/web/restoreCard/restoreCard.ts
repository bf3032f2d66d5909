/**
 * What the card says after everything went down: which terminals were running, what a resume of each continues, and how
 * far those are that were chosen. Pure, so that every sentence can be read and tested in one place.
 */
import { assertNever } from '../../base/assertNever.ts'
import type { RecoveryView } from '../../wire/recoveryView.ts'
import { type Because, offersOf, type TerminalView } from '../../wire/view.ts'
import { nameOf, shortPath } from '../state/words.ts'

export type Row = {
  readonly id: string
  readonly name: string
  /** As in `Claude Code`; null where there was none. */
  readonly agent: string | null
  /** Its branch where it was in a repository, else its directory. */
  readonly place: string
  readonly goesOnWith: string
  readonly isCertain: boolean
}

/** One repository. */
export type RowGroup = { readonly key: string; readonly name: string; readonly rows: readonly Row[] }

const ELSEWHERE = 'Not in a repository'
const SHOWN_OF_ID = 8 // characters: enough to tell conversations apart

/** In the order of the dock; those of no repository last. */
export function groupsOf(terminals: readonly TerminalView[]): readonly RowGroup[] {
  const groups = new Map<string, { name: string; rows: Row[] }>()
  for (const terminal of terminals) {
    const key = terminal.repository?.root ?? ''
    const group = groups.get(key) ?? { name: terminal.repository?.name ?? ELSEWHERE, rows: [] }
    group.rows.push(rowOf(terminal))
    groups.set(key, group)
  }
  const all = [...groups].map(([key, group]) => ({ key, ...group }))
  return [...all.filter(({ key }) => key !== ''), ...all.filter(({ key }) => key === '')]
}

export function rowOf(terminal: TerminalView): Row {
  const { id, repository, directory } = terminal
  const place = repository === null ? shortPath(directory) : (repository.branch ?? shortPath(directory))
  return { id, name: nameOf(terminal), place, ...goesOn(terminal) }
}

function goesOn(terminal: TerminalView): Pick<Row, 'agent' | 'goesOnWith' | 'isCertain'> {
  const { conversation, backend, back } = terminal
  if (backend === 'guest') return { agent: null, goesOnWith: 'shown again if it is still in your tmux', isCertain: false }
  if (back === null || back.kind === 'started')
    return { agent: null, goesOnWith: againText(offersOf(terminal)?.fresh ?? ''), isCertain: true }
  const text = back.kind === 'resumed' && conversation !== null ? `resumed: conversation ${shortId(conversation)}` : back.text
  return { agent: back.agent, goesOnWith: text, isCertain: back.kind === 'resumed' || back.kind === 'shell-quit' }
}

const shortId = (id: string): string => (id.length > SHOWN_OF_ID + 1 ? `${id.slice(0, SHOWN_OF_ID)}…` : id)

const SHELL = /^\S*\b(?:ba|z|fi|da|k|c|tc)?sh(?: -[il]+)*$/

const againText = (command: string): string => `${command === '' || SHELL.test(command) ? 'a shell' : command}, started again`

const terminalsText = (count: number): string => (count === 1 ? '1 terminal was' : `${count} terminals were`)

export function headOf({ happened }: Pick<RecoveryView, 'happened'>, count: number): string {
  return `${whatHappened(happened)}${terminalsText(count)} interrupted`
}

function whatHappened(happened: RecoveryView['happened']): string {
  switch (happened) {
    case 'reboot':
      return 'Your machine restarted: '
    case 'shutdown':
      return 'Your machine was shut down: '
    case 'crash':
      return ''
  }
  return assertNever(happened)
}

/** All of them, except those that the user has unchecked. */
export const chosenOf = (terminals: readonly string[], unchecked: ReadonlySet<string>): readonly string[] =>
  terminals.filter((id) => !unchecked.has(id))

export type Choice = 'all' | 'some' | 'none'

export function choiceOf(ids: readonly string[], unchecked: ReadonlySet<string>): Choice {
  const chosen = chosenOf(ids, unchecked).length
  return chosen === ids.length ? 'all' : chosen === 0 ? 'none' : 'some'
}

/** A box that stands for several: where all are chosen it takes them out, else it takes them in. */
export function toggled(ids: readonly string[], unchecked: ReadonlySet<string>): ReadonlySet<string> {
  const next = new Set(unchecked)
  const takesIn = choiceOf(ids, unchecked) !== 'all'
  for (const id of ids) {
    if (takesIn) next.delete(id)
    else next.add(id)
  }
  return next
}

export type Step =
  | { readonly kind: 'waiting' | 'checking' | 'starting' | 'resuming' }
  /** `text` says what came back, where that is known. */
  | { readonly kind: 'resumed'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** It will not be woken. */
  | { readonly kind: 'left'; readonly reason: string }

/** `isBroken`: the daemon that was waking them is gone, and its successor does not continue. */
export function stepOf(terminal: TerminalView | null, { isBroken }: { readonly isBroken: boolean }): Step {
  if (terminal === null) return { kind: 'left', reason: 'closed' }
  switch (terminal.state) {
    case 'live':
    case 'settling':
      return { kind: 'resumed', text: cameBack(terminal) }
    case 'waking':
      return { kind: terminal.wakePhase ?? 'starting' }
    case 'asleep':
      return asleepStep(terminal.because, isBroken)
  }
  return assertNever(terminal)
}

/** Its id is on the tile; here it would be cut off. */
function cameBack({ back }: TerminalView): string {
  if (back === null || back.kind === 'resumed') return 'resumed'
  return back.kind === 'started' ? 'started again' : back.text
}

function asleepStep(because: Because, isBroken: boolean): Step {
  if (because.kind === 'failed') return { kind: 'failed', reason: because.reason }
  if (because.kind === 'exited') return { kind: 'left', reason: 'ended again' }
  if (because.kind === 'slept') return { kind: 'left', reason: 'put to sleep' }
  return isBroken ? { kind: 'left', reason: 'still asleep: the daemon went away' } : { kind: 'waiting' }
}

export function stepText(step: Step): string {
  switch (step.kind) {
    case 'waiting':
    case 'checking':
    case 'starting':
    case 'resuming':
      return step.kind
    case 'resumed':
      return step.text
    case 'failed':
      return `failed: ${step.reason}`
    case 'left':
      return step.reason
  }
  return assertNever(step)
}

const isOver = ({ kind }: Step): boolean => kind === 'resumed' || kind === 'failed' || kind === 'left'

export type Progress = {
  readonly over: number
  readonly of: number
  readonly text: string
  readonly isDone: boolean
  readonly isGood: boolean
}

export function progressOf(steps: readonly Step[]): Progress {
  const over = steps.filter(isOver).length
  const resumed = steps.filter(({ kind }) => kind === 'resumed').length
  const isDone = over === steps.length
  const text = isDone ? doneText(resumed, steps.length) : `Resuming: ${over} of ${steps.length}`
  return { over, of: steps.length, text, isDone, isGood: resumed === steps.length }
}

function doneText(resumed: number, of: number): string {
  if (resumed === of) return of === 1 ? 'It is running again.' : `All ${of} are running again.`
  return `${resumed} of ${of} ${resumed === 1 ? 'is' : 'are'} running again. See the other tiles for the reasons.`
}
