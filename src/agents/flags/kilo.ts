/** The flags of kilo 7.7.7, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const KILO_FLAGS = flagTable({
  none: `--auto --cloud-fork --continue -c --fork --help -h --mdns --mini --no-replay --print-logs --pure --version -v`,
  one: `--agent --hostname --log-level --mdns-domain --model -m --port --prompt --replay-limit --session -s --worktree`,
  many: `--cors`,
})
