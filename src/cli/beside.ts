/** "Beside that one", as `new` and `move` take it. */
import { done, type Result } from '../base/refusal.ts'
import type { Where } from '../workspace/layout.ts'
import { usage } from './parse.ts'
import type { Input } from './verb.ts'

export const PLACES: readonly Where[] = ['left', 'right', 'top', 'bottom', 'center']

/** Null where neither option was given. */
export function parseBeside(input: Input): Result<{ terminal: string; where: Where } | null> {
  const [terminal, typed] = [input.text('beside'), input.text('where')]
  if (terminal === undefined) return typed === undefined ? done(null) : usage('--where needs --beside TERMINAL')
  const where = typed === undefined ? 'right' : PLACES.find((place) => place === typed)
  return where === undefined ? usage(`"${typed}" is no side; write ${PLACES.join(', ')}`) : done({ terminal, where })
}
