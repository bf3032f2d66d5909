import { readFileSync } from 'node:fs'

/** One place: the package's own file, two folders up from the source as from the build. */
export const VERSION: string = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
  .version
