/** Ids are opaque, short enough to type, and never reused. The first letter says what they name. */
declare const brand: unique symbol
type Id<Kind extends string> = string & { readonly [brand]: Kind }

export type TerminalId = Id<'terminal'>
export type RunId = Id<'run'>
export type WorkspaceId = Id<'workspace'>
export type GroupId = Id<'group'>
export type CheckpointId = Id<'checkpoint'>
/** One daemon's life, from its start to its end. */
export type SessionId = Id<'session'>
/** A browser that has logged in. */
export type DeviceId = Id<'device'>

type Kinds = {
  terminal: TerminalId
  run: RunId
  workspace: WorkspaceId
  group: GroupId
  checkpoint: CheckpointId
  session: SessionId
  device: DeviceId
}

const LETTER = {
  terminal: 't',
  run: 'r',
  workspace: 'w',
  group: 'g',
  checkpoint: 'c',
  session: 's',
  device: 'd',
} as const satisfies Record<keyof Kinds, string>
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz' // 32 symbols without i, l, o, u: nothing to misread
const BODY_LENGTH = 10 // 50 random bits: a collision among a million ids is one in two thousand

/** `random` fills the bytes it is given; it is passed in so that tests can be deterministic. */
export type RandomBytes = (count: number) => Uint8Array

export function makeId<Kind extends keyof Kinds>(kind: Kind, random: RandomBytes): Kinds[Kind] {
  const body = Array.from(random(BODY_LENGTH), (byte) => ALPHABET[byte & 31]).join('')
  return (LETTER[kind] + body) as Kinds[Kind]
}

/** For what stands where there is no place yet. */
export const makePlace = (random: RandomBytes): { readonly group: GroupId; readonly workspace: WorkspaceId } => ({
  group: makeId('group', random),
  workspace: makeId('workspace', random),
})

export function isId<Kind extends keyof Kinds>(kind: Kind, text: string): text is Kinds[Kind] {
  return text.length === BODY_LENGTH + 1 && text[0] === LETTER[kind] && [...text.slice(1)].every((c) => ALPHABET.includes(c))
}
