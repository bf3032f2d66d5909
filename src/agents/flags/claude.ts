/** The flags of claude 2.1.325, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const CLAUDE_FLAGS = flagTable({
  none: `
    --allow-dangerously-skip-permissions --ax-screen-reader --bare --bg --background --brief --chrome --continue -c
    --dangerously-skip-permissions --desktop --disable-slash-commands --exclude-dynamic-system-prompt-sections --fork-session
    --forward-subagent-text --help -h --ide --include-hook-events --include-partial-messages --no-chrome --no-session-persistence
    --print -p --replay-user-messages --restricted --safe-mode --strict-mcp-config --tmux --verbose --version -v
  `,
  one: `
    --agent --agents --append-system-prompt --autocompact --debug-file --effort --environment --fallback-model --input-format
    --json-schema --max-budget-usd --model --name -n --output-format --permission-mode --permission-prompts --plugin-dir
    --plugin-url --remote-control-session-name-prefix --session-id --setting-sources --settings --system-prompt
    --system-prompt-snapshot
  `,
  optional: `--cloud --debug -d --from-pr --prompt-suggestions --remote-control --resume -r --teleport --worktree -w`,
  many: `--add-dir --allowedTools --allowed-tools --betas --disallowedTools --disallowed-tools --file --mcp-config --tools`,
})
