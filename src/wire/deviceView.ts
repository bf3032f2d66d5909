/** What is told of a browser that has logged in, and of the log of logins. */
import { z } from 'zod'
import { capabilitySchema } from './capability.ts'

export const deviceViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The address under which it opens the page: its key works under no other. */
  address: z.string(),
  capability: capabilitySchema,
  firstUsed: z.number(),
  lastUsed: z.number(),
  expires: z.number(),
  /** How many of its pages are open now. */
  open: z.int(),
  /** The device that asks. */
  isCurrent: z.boolean(),
  /** What made its login link: the name of a device, or null for the command line. */
  addedBy: z.string().nullable(),
})
export type DeviceView = z.infer<typeof deviceViewSchema>

const AUTH_EVENTS = ['login', 'link', 'refused', 'revoked', 'expired', 'renamed', 'port'] as const

export const authLogEntrySchema = z.object({
  at: z.number(),
  what: z.enum(AUTH_EVENTS),
  /** Id of the device it is about, where one is known. */
  device: z.string().nullable(),
  details: z.string(),
})
export type AuthLogEntry = z.infer<typeof authLogEntrySchema>
