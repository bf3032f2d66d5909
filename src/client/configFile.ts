/** config.toml on disk, changed option by option. The daemon does it while it runs, so that the change is heard; else the CLI. */
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { systemReason } from '../base/systemReason.ts'
import { type ConfigChange, editConfig } from '../wire/configEdit.ts'
import { readIfThere, replaceFile } from './wholeFile.ts'

const DRAFT = '.holdfast-draft'
/** An editor that writes at the very moment is read again. */
const TRIES = 3

export function changeConfigFile(file: string, change: ConfigChange): Result<null> {
  try {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const before = readIfThere(file)
      const edited = editConfig(before ?? '', change)
      if (!edited.ok) return refused(refusals.optionRefused(edited.why))
      if (edited.text === (before ?? '') || replaceFile(file, { text: edited.text, expected: before, draft: DRAFT })) return done(null)
    }
    return refused(refusals.optionRefused(`${file} is being changed by somebody else.`))
  } catch (error) {
    return refused(refusals.optionRefused(`${file} could not be changed: ${systemReason(error)}.`))
  }
}
