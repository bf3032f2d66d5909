/** The flags of pi 0.73.1, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const PI_FLAGS = flagTable({
  none: `
    --continue -c --help -h --no-builtin-tools -nbt --no-context-files -nc --no-extensions -ne --no-prompt-templates -np
    --no-session --no-skills -ns --no-themes --no-tools -nt --offline --print -p --resume -r --verbose --version -v
  `,
  one: `
    --api-key --append-system-prompt --export --extension -e --fork --mode --model --models --prompt-template --provider --session
    --session-dir --skill --system-prompt --theme --thinking --tools -t
  `,
  optional: `--list-models`,
})
