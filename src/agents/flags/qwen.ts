/** The flags of qwen 0.24.4, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const QWEN_FLAGS = flagTable({
  none: `
    --acp --bare --chat-recording --continue -c --debug -d --experimental-lsp --fork-session --help -h --include-partial-messages
    --insecure --list-extensions -l --openai-logging --restore-ask-user-question --safe-mode --sandbox -s --screen-reader
    --telemetry --telemetry-log-prompts --version -v --yolo -y
  `,
  one: `
    --append-system-prompt --approval-mode --auth-type --channel --input-file --input-format --json-fd --json-file --json-schema
    --max-session-turns --max-subagent-depth --max-tool-calls --max-wall-time --mcp-config --model -m --openai-api-key
    --openai-base-url --openai-logging-dir --output-format -o --output-style --prompt -p --prompt-interactive -i --proxy --resume
    -r --sandbox-image --session-id --system-prompt --telemetry-otlp-endpoint --telemetry-otlp-protocol --telemetry-outfile
    --telemetry-target --worktree
  `,
  many: `
    --allowed-mcp-server-names --allowed-tools --core-tools --disabled-slash-commands --exclude-tools --extensions -e
    --fallback-model --include-directories --add-dir
  `,
})
