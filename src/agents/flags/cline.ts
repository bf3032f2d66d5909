/** The flags of cline 3.0.65, as its --help tells them. Written by `npm run agents:flags`: do not edit. */
import { flagTable } from './flagTable.ts'

export const CLINE_FLAGS = flagTable({
  none: `--acp --help -h --json --kanban --plan -p --tui -i --update --verbose -v --version -V --worktree --zen -z`,
  one: `
    --auto-approve --compaction --config --cwd -c --data-dir --hooks-dir --id --key -k --model -m --provider -P --system -s
    --thinking --timeout -t
  `,
  optional: `--retries`,
})
