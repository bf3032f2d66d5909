import { isId, type TerminalId } from '../base/ids.ts'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { isSafeText } from './text.ts'

const MAX_NAME_LENGTH = 64 // characters: a name has to fit a tab

/** A name that looks like an id could hide the thing that has this id. */
const looksLikeId = (text: string): boolean => isId('terminal', text) || isId('run', text) || isId('workspace', text) || isId('group', text)

export function isName(text: string): boolean {
  const length = [...text.slice(0, 2 * MAX_NAME_LENGTH + 1)].length
  return length > 0 && length <= MAX_NAME_LENGTH && text.trim() === text && isSafeText(text) && !looksLikeId(text)
}

/** The name as it will be shown: without the blanks around it. */
export function checkName(text: string): Result<string> {
  const name = text.trim()
  return isName(name) ? done(name) : refused(refusals.nameInvalid(text))
}

/** `self` may keep the name it has. */
export function checkNameFree(
  text: string,
  others: { readonly terminals: Iterable<{ readonly id: TerminalId; readonly name: string | null }>; readonly self: TerminalId | null },
): Result<string> {
  const checked = checkName(text)
  if (!checked.ok) return checked
  const taken = [...others.terminals].some(({ id, name }) => id !== others.self && name === checked.value)
  return taken ? refused(refusals.nameTaken(checked.value)) : checked
}
