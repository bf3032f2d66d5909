/**
 * One size per terminal, however many clients look at it. This module knows the viewport of each client and which
 * client typed last, and decides the size of the terminal and which client it fits. The daemon carries the decision out.
 */
import { assertNever } from '../../base/assertNever.ts'
import { isSize } from '../../base/size.ts'
import type { Size } from './terminal.ts'

export const SIZE_POLICIES = ['last-typed', 'smallest', 'fixed'] as const
export type SizePolicy = (typeof SIZE_POLICIES)[number]

/** Whether a client wants its viewport to decide the size: no, only if no other client's does, or yes. */
export const LEADS = ['no', 'ifFree', 'yes'] as const
export type Lead = (typeof LEADS)[number]

type Looker = { readonly client: number; readonly who: string }

export type SizedBy =
  /** No client shows it, or none has asked to lead: the size stays. */
  | { readonly kind: 'nobody' }
  | ({ readonly kind: 'client' } & Looker)
  | { readonly kind: 'smallest'; readonly cols: Looker; readonly rows: Looker }
  /** The user set exactly this size. */
  | { readonly kind: 'hand' }
  | { readonly kind: 'fixed' }
  /** The guest's own tmux decides. */
  | { readonly kind: 'tmux' }

type Place = Looker & {
  /** Null while it is hidden. */
  readonly size: Size | null
  /** Turns, not times: only the order counts. */
  readonly lookedAt: number
  /** 0 until it has typed, or asked to lead. */
  readonly typedAt: number
}

export type Sizing = {
  readonly policy: SizePolicy
  readonly places: readonly Place[]
  /** Always one of those that are visible. Known under every policy, so that a change of it finds the right one. */
  readonly leader: number | null
  readonly isSetByHand: boolean
  readonly turn: number
}

export type SizingEvent =
  | ({ readonly kind: 'looks'; readonly size: Size; readonly lead: Lead } & Looker)
  | { readonly kind: 'hides'; readonly client: number }
  | { readonly kind: 'leaves'; readonly client: number }
  | { readonly kind: 'typed'; readonly client: number }
  | { readonly kind: 'setByHand' }
  | { readonly kind: 'policyChanged'; readonly policy: SizePolicy }

/** The size is null where the terminal keeps the one it has. */
export type Verdict = { readonly size: Size | null; readonly by: SizedBy }

/** Programs wrap their lines for this width without a second thought; a narrower place is a phone's, or a side bar's. */
const USUAL_COLS = 80

export const newSizing = (policy: SizePolicy): Sizing => ({ policy, places: [], leader: null, isSetByHand: false, turn: 0 })

/** `present` is the size that the terminal has. */
export function stepSizing(sizing: Sizing, event: SizingEvent, present: Size): Sizing {
  switch (event.kind) {
    case 'looks':
      return isSize(event.size) ? looks(sizing, event, present) : sizing // a hidden window reports no columns, or one
    case 'hides':
      return without(sizing, event.client, { present, places: (place) => [{ ...place, size: null }] })
    case 'leaves':
      return without(sizing, event.client, { present, places: () => [] })
    case 'typed':
      return typed(sizing, event.client)
    case 'setByHand':
      return { ...sizing, isSetByHand: true, leader: null }
    case 'policyChanged':
      return policyChanged(sizing, event.policy, present)
  }
  return assertNever(event)
}

export function decideSize({ policy, places, leader, isSetByHand }: Sizing): Verdict {
  if (policy === 'fixed') return { size: null, by: { kind: 'fixed' } }
  if (isSetByHand) return { size: null, by: { kind: 'hand' } }
  const leading = visible(places).find(({ client }) => client === leader)
  switch (policy) {
    case 'last-typed':
      return leading === undefined
        ? { size: null, by: { kind: 'nobody' } }
        : { size: leading.size, by: { kind: 'client', ...lookerOf(leading) } }
    case 'smallest':
      return smallest(visible(places))
  }
  return assertNever(policy)
}

function looks(sizing: Sizing, event: Extract<SizingEvent, { kind: 'looks' }>, present: Size): Sizing {
  const { client, who, size, lead } = event
  const turn = sizing.turn + 1
  const before = sizing.places.find((place) => place.client === client)
  const typedAt = lead === 'yes' ? turn : (before?.typedAt ?? 0)
  const place: Place = { client, who, size, typedAt, lookedAt: before?.size ? before.lookedAt : turn }
  const isFree = sizing.leader === null && !isNarrow(size, present)
  const takes = lead === 'yes' || (lead === 'ifFree' && isFree)
  return {
    ...sizing,
    turn,
    places: [...sizing.places.filter((other) => other.client !== client), place],
    leader: takes ? client : sizing.leader,
    isSetByHand: sizing.isSetByHand && !takes && !(sizing.policy === 'smallest' && !isSameSize(size, before?.size ?? null)),
  }
}

/** A place that is hidden, or unknown, is no place to lead from. */
function typed(sizing: Sizing, client: number): Sizing {
  const place = sizing.places.find((other) => other.client === client)
  if (place === undefined) return sizing
  const turn = sizing.turn + 1
  const places = sizing.places.map((other) => (other === place ? { ...place, typedAt: turn } : other))
  if (place.size === null) return { ...sizing, turn, places }
  return { ...sizing, turn, places, leader: client, isSetByHand: sizing.isSetByHand && sizing.policy !== 'last-typed' }
}

type Leaving = { readonly present: Size; readonly places: (place: Place) => readonly Place[] }

function without(sizing: Sizing, client: number, { present, places: left }: Leaving): Sizing {
  const place = sizing.places.find((other) => other.client === client)
  if (place === undefined) return sizing
  const places = sizing.places.flatMap((other) => (other === place ? left(place) : [other]))
  const leader = sizing.leader === client ? heirOf(places, present) : sizing.leader
  return { ...sizing, places, leader, isSetByHand: sizing.isSetByHand && !(sizing.policy === 'smallest' && place.size !== null) }
}

function policyChanged(sizing: Sizing, policy: SizePolicy, present: Size): Sizing {
  if (policy === sizing.policy) return sizing
  return { ...sizing, policy, isSetByHand: false, leader: sizing.leader ?? heirOf(sizing.places, present) }
}

/** Clients that typed come before clients that only look; a narrow client that only looks does not inherit. */
function heirOf(places: readonly Place[], present: Size): number | null {
  const seen = visible(places)
  const typists = seen.filter(({ typedAt }) => typedAt > 0)
  const onlookers = seen.filter(({ size }) => !isNarrow(size, present))
  const heir = typists.toSorted((a, b) => b.typedAt - a.typedAt)[0] ?? onlookers.toSorted((a, b) => b.lookedAt - a.lookedAt)[0]
  return heir?.client ?? null
}

function smallest(places: readonly VisiblePlace[]): Verdict {
  const narrowest = places.toSorted((a, b) => a.size.cols - b.size.cols)[0]
  const lowest = places.toSorted((a, b) => a.size.rows - b.size.rows)[0]
  if (narrowest === undefined || lowest === undefined) return { size: null, by: { kind: 'nobody' } }
  return {
    size: { cols: narrowest.size.cols, rows: lowest.size.rows },
    by: { kind: 'smallest', cols: lookerOf(narrowest), rows: lookerOf(lowest) },
  }
}

type VisiblePlace = Place & { readonly size: Size }

const visible = (places: readonly Place[]): VisiblePlace[] =>
  places.flatMap((place) => (place.size === null ? [] : [{ ...place, size: place.size }]))

/** Programs that once wrapped their lines for it keep them so for ever. */
const isNarrow = ({ cols }: Size, present: Size): boolean => cols < USUAL_COLS && cols < present.cols

const lookerOf = ({ client, who }: Looker): Looker => ({ client, who })

export const isSameSize = (a: Size | null, b: Size | null): boolean => a?.cols === b?.cols && a?.rows === b?.rows

/** Why a terminal has its size, in a few words without a full stop: the same on the page and in a shell. */

export function sizedText(by: SizedBy, { cols, rows }: Size): string {
  const size = `${cols}×${rows}`
  switch (by.kind) {
    case 'nobody':
      return `Sized for another window (${size})`
    case 'client':
      return `Sized by ${lookerText(by.who)}: ${size}`
    case 'smallest':
      return `Sized for the smallest window: ${size}`
    case 'hand':
      return `Set to ${size} by hand`
    case 'fixed':
      return `Fixed at ${size}`
    case 'tmux':
      return `Sized by your tmux: ${size}`
  }
  return assertNever(by)
}

function lookerText(who: string): string {
  switch (who) {
    case 'page':
      return 'another page'
    case 'attach':
      return 'attach on this machine'
    default:
      return who === '' ? 'another client' : who
  }
}

/** Whether a client can have the size for itself by asking. */
export function canTakeLead(by: SizedBy): boolean {
  switch (by.kind) {
    case 'nobody':
    case 'client':
      return true
    case 'hand':
      return true
    case 'smallest':
    case 'fixed':
    case 'tmux':
      return false
  }
  return assertNever(by)
}
