import { done, refusals, refused } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { followFile, lastLines } from '../../logFile.ts'
import { logLineText } from '../../logLine.ts'
import { parseCount } from '../../parse.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

const LINES = '50'

export const logs: Verb = {
  name: 'logs',
  summary: 'Print the end of the daemon’s log.',
  options: [
    { flags: '-f, --follow', help: 'go on with what is written from now on' },
    { flags: '-n, --lines <count>', help: `how many lines (${LINES})` },
    { ...JSON_OPTION, help: 'print the lines as they are: one JSON object each' },
  ],
  example: ['holdfast daemon logs -f', "holdfast daemon logs -n 1000 --json | jq 'select(.level >= 40)'"],
  run: async (input, host) => {
    const count = parseCount(input.text('lines') ?? LINES, 'lines')
    if (!count.ok) return count
    const file = host.paths.daemonLog
    const found = lastLines(file, count.value)
    if (found === null && !input.flag('follow')) return refused(refusals.logMissing(file))
    const show = (line: string): void => host.print(input.flag('json') ? line : logLineText(line))
    for (const line of found?.lines ?? []) show(line)
    if (input.flag('follow')) await followFile(file, { from: found?.end ?? 0, onLine: show })
    return done(EXIT.done)
  },
}
