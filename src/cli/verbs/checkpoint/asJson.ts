/** All verbs of checkpoints print JSON with `--json`, and with `-f json` as well. */
import { type Input, JSON_OPTION, type Option } from '../../verb.ts'

export const AS_JSON: readonly Option[] = [
  { flags: '-f, --format <format>', help: 'text or json (text)', choices: ['text', 'json'] },
  { ...JSON_OPTION, help: 'the same as --format json' },
]

export const asksForJson = (input: Input): boolean => input.flag('json') || input.text('format') === 'json'

/** How a checkpoint is addressed; help of every verb that takes one. */
export const ADDRESSES = ['A checkpoint is named by its id, a unique beginning of it, latest, or latest~1 for the one before.']
