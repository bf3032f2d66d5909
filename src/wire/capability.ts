/** What a peer may do. One place in the daemon enforces it for commands, input, events, history, stills and files. */
import { z } from 'zod'
import { isId, type TerminalId } from '../base/ids.ts'

/** What a program may do through HOLDFAST_SOCKET with its own terminal; each includes the ones before it. */
export const PROGRAM_MAY = ['report', 'read', 'send'] as const
export type ProgramMay = (typeof PROGRAM_MAY)[number]

export type Capability =
  | { readonly kind: 'everything' }
  /** Sees these terminals and changes nothing. */
  | { readonly kind: 'view'; readonly terminals: 'all' | readonly TerminalId[] }
  /** A program inside a terminal: reports about that terminal, and no other. */
  | { readonly kind: 'program'; readonly terminal: TerminalId; readonly may: ProgramMay }

export const EVERYTHING: Capability = { kind: 'everything' }

/** What a client that may not do everything is told about itself. A page offers what is in `commands` and nothing else. */
export const accessSchema = z.object({
  /** `some`: it sees a part of the terminals. */
  sees: z.enum(['all', 'some']),
  /** The rows of the command table that it may ask for. */
  commands: z.array(z.string()).readonly(),
})
export type Access = z.infer<typeof accessSchema>

const terminalId = z.custom<TerminalId>((value) => typeof value === 'string' && isId('terminal', value), 'not the id of a terminal')

export const capabilitySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('everything') }),
  z.strictObject({ kind: z.literal('view'), terminals: z.union([z.literal('all'), z.array(terminalId).max(1_000).readonly()]) }),
  z.strictObject({ kind: z.literal('program'), terminal: terminalId, may: z.enum(PROGRAM_MAY) }),
]) satisfies z.ZodType<Capability>
