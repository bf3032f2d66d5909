import { z } from 'zod'
import { authLogEntrySchema, deviceViewSchema } from '../deviceView.ts'
import { ref, row } from './row.ts'

const NAME_LENGTH = 60
const deviceName = z.string().trim().min(1).max(NAME_LENGTH)

export const deviceCommands = {
  'web.login': row({
    help: 'Create a link that logs in one browser, once.',
    changes: true,
    needs: 'everything',
    params: z.object({
      /** The browser only sees these terminals, or all; where it is left out it may do everything. */
      view: z.union([z.literal('all'), z.array(ref).min(1).max(1_000)]).exactOptional(),
      name: deviceName.exactOptional(),
      /** Also write a file that leads a browser there: the link must not stand in a process's arguments. */
      file: z
        .object({
          snap: z
            .string()
            .regex(/^[a-z0-9-]{1,40}$/)
            .nullable(),
        })
        .exactOptional(),
    }),
    result: z.object({ url: z.string(), file: z.string().exactOptional(), trouble: z.string().exactOptional() }),
  }),
  'device.list': row({
    help: 'List logged-in browsers.',
    changes: false,
    needs: 'everything',
    params: z.object({}),
    result: z.array(deviceViewSchema),
  }),
  'device.rename': row({
    help: 'Rename a logged-in browser.',
    changes: true,
    needs: 'everything',
    params: z.object({ device: ref, name: deviceName }),
    result: deviceViewSchema,
  }),
  'device.revoke': row({
    help: 'Log out a browser and close its pages.',
    changes: true,
    needs: 'everything',
    params: z.object({ devices: z.union([z.literal('all'), z.array(ref).min(1).max(100)]) }),
    result: z.array(deviceViewSchema),
  }),
  'device.logOut': row({
    help: 'Log out the browser that asks.',
    changes: true,
    needs: 'read',
    params: z.object({}),
    result: z.object({}),
  }),
  'device.log': row({
    help: 'Show logins, refusals and revocations, newest first.',
    changes: false,
    needs: 'everything',
    params: z.object({ limit: z.int().min(1).max(1_000) }),
    result: z.array(authLogEntrySchema),
  }),
} as const
