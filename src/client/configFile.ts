/** Changes single options of config.toml. A running daemon does it, so that it notices; else the CLI. */
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { systemReason } from '../base/systemReason.ts'
import { type ConfigChange, editConfig } from '../wire/config/configEdit.ts'
import { readIfThere, replaceFile } from './wholeFile.ts'

const DRAFT = '.holdfast-draft'
/** An editor may write at the same moment. */
const TRIES = 3

export function changeConfigFile(file: string, change: ConfigChange): Result<null> {
  try {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const before = readIfThere(file)
      const edited = editConfig(before ?? '', change)
      if (!edited.ok) return refused(refusals.optionRefused(edited.why))
      if (edited.text === (before ?? '') || replaceFile(file, { text: edited.text, expected: before, draft: DRAFT })) return done(null)
    }
    return refused(refusals.optionRefused(`Another program is changing ${file}.`))
  } catch (error) {
    return refused(refusals.optionRefused(`cannot change ${file}: ${systemReason(error)}.`))
  }
}
