/**
 * Whether a regular expression for ids is matched in no time, whatever the id. Ids have at most 128 characters, so a few
 * repetitions side by side cost some hundred thousand steps at worst; one inside another, or a repeated choice, may never end.
 */
const MOST_REPETITIONS = 3
const MOST_CHOICES = 6

const REPETITION = /^(?:[*+]|\{\d+(,\d*)?\})/

export function isQuick(pattern: string): boolean {
  /** Of each open group, whether there is more than one way to match it. */
  const groups: boolean[] = [false]
  let [repetitions, choices] = [0, 0]
  const vary = (): void => void groups.splice(-1, 1, true)
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    if (/^\\[1-9k]/.test(rest)) return false
    const atom = /^(?:\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|.)/su.exec(rest)?.[0] ?? rest
    at += atom.length
    if (atom.startsWith('(')) {
      groups.push(false)
      continue
    }
    if (atom === '|') {
      choices += 1
      vary()
      continue
    }
    const isVaried = atom === ')' ? groups.pop() === true : false
    if (isVaried) vary()
    const repetition = REPETITION.exec(pattern.slice(at))
    if (repetition !== null) {
      if (isVaried) return false
      const isFixed = repetition[0].startsWith('{') && repetition[1] === undefined
      repetitions += isFixed ? 0 : 1
      if (!isFixed) vary()
      at += repetition[0].length
    }
    if (pattern[at] === '?') {
      choices += repetition === null ? 1 : 0 // after a repetition it only says which way to try first
      if (repetition === null) vary()
      at += 1
    }
  }
  return repetitions <= MOST_REPETITIONS && choices <= MOST_CHOICES
}
