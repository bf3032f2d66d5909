/** The flags of codex 0.166.0, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const CODEX_FLAGS = flagTable({
  none: `
    --all --approve-for-me --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --help -h
    --include-non-interactive --last --no-alt-screen --no-daemon --oss --search --strict-config --version -V --worktree
  `,
  one: `
    --add-dir --ask-for-approval -a --cd -C --config -c --disable --enable --local-provider --model -m --profile -p --remote
    --remote-auth-token-env --sandbox -s
  `,
  many: `--image -i`,
})
