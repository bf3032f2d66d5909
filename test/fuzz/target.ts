import type fc from 'fast-check'

/** One thing that reads what others have written. `scripts/fuzz.mjs` and the test line run the same table of these. */
export type FuzzTarget<Case = unknown> = {
  /** As typed after `npm run fuzz --`. */
  readonly name: string
  readonly what: string
  /** How many cases the test line tries. */
  readonly cases: number
  /** It starts real processes of what was built, each case costs milliseconds, and a failure may have ended them. */
  readonly isReal?: boolean
  readonly input: fc.Arbitrary<Case>
  /** What has hurt before: tried first, whatever the seed. */
  readonly examples?: readonly Case[]
  open(): Opened<Case> | Promise<Opened<Case>>
}

export type Opened<Case> = {
  /** Throws what is wrong with what became of the case. */
  judge(input: Case): void | Promise<void>
  /** The case with as little in it as possible, in words; left out: as fast-check makes it smaller. */
  minimal?(input: Case): Promise<string>
  /** Bytes that are held after a collection; left out: those of this thread. */
  memoryBytes?(): Promise<number>
  close?(): Promise<void>
}

export const fuzzTarget = <Case>(target: FuzzTarget<Case>): FuzzTarget => target as FuzzTarget

export class Complaint extends Error {}

export function demand(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Complaint(otherwise)
}
