/** The flags of opencode 1.18.33, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const OPENCODE_FLAGS = flagTable({
  none: `--auto --continue -c --fork --help -h --mdns --mini --no-replay --print-logs --pure --version -v`,
  one: `--agent --hostname --log-level --mdns-domain --model -m --port --prompt --replay-limit --session -s`,
  many: `--cors`,
})
