/** What a browser is told about what it may do. Pure. */
import type { Access } from '../../wire/capability.ts'

/** Said in place of what was typed, pasted or dropped. */
export const ONLY_LOOKS = 'View only: this browser cannot type here.'

export const accessWords = ({ sees }: Access): string =>
  `This browser can look at ${sees === 'all' ? 'all terminals' : 'some of the terminals'}, read their history and search it. It cannot type, start or end programs, or change the layout or the settings.`

/** Said when a page is told that it may do something else than before. */
export const accessNews = (access: Access | null): string =>
  access === null ? 'This browser can now type and change things.' : 'This browser is now view only.'
