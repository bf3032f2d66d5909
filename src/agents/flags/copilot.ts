/** The flags of copilot 1.0.102, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const COPILOT_FLAGS = flagTable({
  none: `
    --acp --allow-all --allow-all-mcp-server-instructions --allow-all-paths --allow-all-tools --allow-all-urls --assisted-approval
    --autopilot --banner --continue --disable-builtin-mcps --disable-client-telemetry --disallow-temp-dir
    --enable-all-github-mcp-tools --enable-memory --experimental --fleet --help -h --no-ask-user --no-auto-update --no-bash-env
    --no-color --no-custom-instructions --no-eager-powershell-resolution --no-experimental --no-mouse --no-remote
    --no-remote-export --plain-diff --plan --remote --remote-export --screen-reader --share-gist --silent -s --trust-folder
    --version -v --yolo
  `,
  one: `
    --add-dir --add-github-mcp-tool --add-github-mcp-toolset --additional-mcp-config --agent --attachment --auto-tier --context
    --disable-mcp-server --dynamic-retrieval --enable-mcp-server --environment-compute-id --environment-host --extension-sdk-path
    --interactive -i --log-dir --log-level --max-ai-credits --max-autopilot-continues --mcp-github-auth --mode --model --name -n
    --output-format --plugin-dir --prompt -p --reasoning-effort --session-id --stream --usage-output-file -C
  `,
  optional: `--bash-env --connect --mouse --resume -r --share`,
  many: `--allow-tool --allow-url --available-tools --deny-tool --deny-url --excluded-tools --secret-env-vars`,
})
