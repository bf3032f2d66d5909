/** The flags of gemini 0.61.0, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const GEMINI_FLAGS = flagTable({
  none: `
    --accept-raw-output-risk --acp --debug -d --experimental-acp --help -h --list-extensions -l --list-sessions --raw-output
    --sandbox -s --screen-reader --skip-trust --version -v --yolo -y
  `,
  one: `
    --approval-mode --delete-session --model -m --output-format -o --prompt -p --prompt-interactive -i --resume -r --session-file
    --session-id --worktree -w
  `,
  many: `--admin-policy --allowed-mcp-server-names --allowed-tools --extensions -e --include-directories --policy`,
})
