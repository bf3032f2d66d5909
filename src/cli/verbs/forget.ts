import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { ForgetWhat } from '../../wire/commands/forget.ts'
import { confirm } from '../confirm.ts'
import { EXIT } from '../exit.ts'
import { forgottenLines, planLines } from '../forgetText.ts'
import { usage } from '../parse.ts'
import { parseTime } from '../parseTime.ts'
import { type Input, JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'forget',
  summary: 'Remove every trace of terminals. This cannot be undone.',
  operands: '[id...]',
  completes: 'terminals',
  options: [
    { flags: '--closed', help: 'forget all terminals that are closed, also those that could still be reopened' },
    { flags: '--before <time>', help: 'forget what is older than this, as in 30d, yesterday or 2026-01-31' },
    { flags: '--force', help: 'also terminals that are running: their programs are ended' },
    { flags: '-y, --yes', help: 'do not ask' },
    { flags: '--dry-run', help: 'only show what would be removed' },
    JSON_OPTION,
  ],
  details: [
    'Removes logs, screens, search index, dropped files, audit and log lines of the terminal, and its part of every checkpoint, then',
    'rewrites the databases. Closing alone does not do that: checkpoints keep a closed terminal until they expire.',
    '--before forgets terminals that have not been used since, checkpoints and audit entries from before, and earlier runs that ended',
    'before. A terminal that was used since keeps its newest run. --closed forgets every terminal that holdfast ls does not show.',
    'Out of reach: backups and exports, snapshots of the file system, blocks of an SSD, swap, the agents’ own transcripts.',
  ],
  example: ['holdfast forget api', 'holdfast forget --closed', 'holdfast forget --before 30d --dry-run'],
  run: async (input, host) => {
    const what = whatOf(input)
    if (!what.ok) return what
    const wish = { what: what.value, ...(input.flag('force') ? { force: true } : {}) }
    const json = input.flag('json')
    if (input.flag('dryRun') || !input.flag('yes')) {
      const planned = await host.ask('forget.plan', wish)
      if (!planned.ok) return planned
      const lines = planLines(planned.value.result)
      if (input.flag('dryRun')) {
        if (json) host.printJson(planned.value.result)
        else host.print(lines.join('\n'))
        return done(EXIT.done)
      }
      if (host.stdin.isTTY !== true) return usage('nobody can be asked here; --yes forgets, --dry-run only shows what would be removed')
      if (!(await confirm(`${lines.join('\n')}\nThis cannot be undone. Forget?`, host))) return done(EXIT.refused)
    }
    if (host.stderr.isTTY === true && !json) host.complain('Forgetting; rewriting the databases may take a while…')
    const forgotten = await host.ask('forget.apply', wish)
    if (!forgotten.ok) return forgotten
    const { result } = forgotten.value
    if (json) host.printJson(result)
    else host.print(forgottenLines(result).join('\n'))
    return result.trouble === null ? done(EXIT.done) : refused(refusals.forgetUnfinished(result.trouble))
  },
}

function whatOf(input: Input): Result<ForgetWhat> {
  const before = input.text('before')
  const ways = [input.operands.length > 0, input.flag('closed'), before !== undefined].filter(Boolean)
  if (ways.length !== 1) return usage('say what to forget: terminals by id or name, --closed, or --before TIME')
  if (input.flag('closed')) return done({ kind: 'closed' })
  if (before === undefined) return done({ kind: 'terminals', terminals: [...input.operands] })
  const at = parseTime(before, Date.now())
  return at.ok ? done({ kind: 'before', at: at.value }) : at
}
