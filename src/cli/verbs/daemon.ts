import { ageText, mib } from '../../base/format.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { NOT_RUNNING } from '../../client/unixTransport.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import { print, show } from '../core/answers.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import { parseCount } from '../core/parse.ts'
import type { Cli, Verb } from '../core/verb.ts'
import { followFile, lastLines, logLineText } from '../daemon/logFile.ts'
import { startByService } from '../daemon/service.ts'
import { asleepLine, type FellAsleep, stopDaemon, stoppedText } from '../daemon/stopDaemon.ts'

const start: Verb = {
  name: 'start',
  summary: 'Start the daemon, unless it is already running.',
  options: [{ flags: '--foreground', help: 'run in the foreground, for service managers; Ctrl-C stops it' }],
  example: ['holdfast daemon start', 'holdfast daemon start --foreground'],
  run: (cli, input) => (input.flag('foreground') ? stay(cli) : show(cli, cli.ask('daemon.status', {}), statusText)),
}

async function stay(cli: Cli): Promise<Result<ExitCode>> {
  const running = await cli.running()
  if (running.ok) return refused(refusals.daemonRunning(running.value.identity?.pid ?? 0))
  const { becomeDaemon } = await import('../../client/launchDaemon.ts')
  return await becomeDaemon(cli.paths)
}

const stop: Verb = {
  name: 'stop',
  summary: 'Stop the daemon; programs keep running without --all.',
  options: [{ flags: '--all', help: 'also put every terminal to sleep' }],
  details: ['With --all, each terminal that falls asleep is a line on stderr, and programs', 'that did not end in time are listed.'],
  example: ['holdfast daemon stop', 'holdfast daemon stop --all'],
  run: async (cli, input) => {
    const all = input.flag('all')
    const terminals: FellAsleep[] = []
    const tell = (fallen: FellAsleep): void => {
      terminals.push(fallen)
      if (!cli.isJson) cli.complain(asleepLine(fallen))
    }
    const stopped = await stopDaemon(cli, { all, tell })
    if (!stopped.ok) return stopped
    return await print(cli, all ? { ...stopped.value, terminals } : stopped.value, (told) => stoppedText(told, { all }))
  },
}

const restart: Verb = {
  name: 'restart',
  summary: 'Restart the daemon; programs keep running.',
  example: ['holdfast daemon restart'],
  run: async (cli) => {
    const stopped = await stopDaemon(cli, { all: false })
    if (!stopped.ok) return stopped
    await startByService(cli)
    return await show(cli, cli.ask('daemon.status', {}), statusText)
  },
}

const status: Verb = {
  name: 'status',
  summary: 'Show the status of the daemon, without starting it.',
  example: ['holdfast daemon status', 'holdfast daemon status --json | jq .web.url'],
  run: async (cli) => {
    const running = await cli.running()
    if (!running.ok && running.refusal.message.includes(NOT_RUNNING)) return refused(refusals.daemonNotRunning())
    return await show(cli, running.ok ? running.value.request('daemon.status', {}) : running, statusText)
  },
}

function statusText(now: Outcome<'daemon.status'>): string {
  const { live, asleep } = now.terminals
  const { taken, inexact } = now.snapshots
  return [
    `running   pid ${now.pid}, for ${ageText(Date.now() - now.startedAt)}, version ${now.version}`,
    `home      ${now.home}`,
    `page      ${now.web.url ?? `none (${now.web.trouble ?? 'disabled'})`}`,
    `terminals ${live} live, ${asleep} asleep`,
    `snapshots ${taken} taken, ${inexact === 0 ? 'all exact' : `${inexact} not exact`}`,
    `logs      ${mib(now.logs.bytes)} of ${mib(now.logs.limit)}`,
    ...droppedText(now.events?.dropped ?? {}),
    ...(now.web.url !== null && now.web.trouble !== null ? [`trouble   ${now.web.trouble}`] : []),
    ...now.troubles.map((trouble) => `trouble   ${trouble}`),
  ].join('\n')
}

/** Spinning titles drop some every second: only a flood is worth a line. */
const MANY_DROPPED = 10_000

function droppedText(dropped: Readonly<Record<string, number>>): readonly string[] {
  const many = Object.entries(dropped).filter(([, count]) => count >= MANY_DROPPED)
  return many.length === 0 ? [] : [`events    dropped: ${many.map(([kind, count]) => `${count} ${kind}`).join(', ')}`]
}

const USUAL_LINES = '50'

const logs: Verb = {
  name: 'logs',
  summary: 'Print the end of the daemon’s log.',
  options: [
    { flags: '-f, --follow', help: 'keep printing new lines' },
    { flags: '-n, --lines <count>', help: `number of lines (default: ${USUAL_LINES})` },
  ],
  json: 'print the raw lines: one JSON object each',
  example: ['holdfast daemon logs -f', "holdfast daemon logs -n 1000 --json | jq 'select(.level >= 40)'"],
  run: async (cli, input) => {
    const count = parseCount(input.text('lines') ?? USUAL_LINES, 'lines')
    if (!count.ok) return count
    const file = cli.paths.daemonLog
    const found = lastLines(file, count.value)
    if (found === null && !input.flag('follow')) return refused(refusals.logMissing(file))
    const printLine = (line: string): void => cli.print(cli.isJson ? line : logLineText(line))
    for (const line of found?.lines ?? []) printLine(line)
    if (input.flag('follow')) await followFile(file, { from: found?.end ?? 0, onLine: printLine })
    return done(EXIT.done)
  },
}

export const verb: Verb = {
  name: 'daemon',
  summary: 'Start, stop and inspect the daemon.',
  example: ['holdfast daemon status', 'holdfast daemon logs -f'],
  verbs: [start, stop, restart, status, logs],
}
