/** Processes: does the daemon answer, and does every holder whose card exists? */

import { existsSync } from 'node:fs'
import { readCards } from '../../client/holderCards.ts'
import { type Linking, linkHolder } from '../../client/holderLink.ts'
import type { HolderCard } from '../../wire/holder.ts'
import type { Paths } from '../../wire/paths.ts'
import type { Cli } from '../core/verb.ts'
import { isAlive } from '../daemon/stopDaemon.ts'
import { bad, type Finding, ok, warn } from './check.ts'

export async function checkDaemon(cli: Cli): Promise<readonly Finding[]> {
  const running = await cli.running()
  if (!running.ok) {
    if (running.refusal.code === 'daemon-version') return [bad('daemon', running.refusal.message, running.refusal.hint)]
    if (existsSync(cli.paths.daemonCard) && existsSync(cli.paths.daemonSocket))
      return [warn('daemon', 'not running; it crashed', 'The next command starts it. Programs keep running.')]
    return [ok('daemon', 'not running; the next command starts it')]
  }
  const status = await running.value.request('daemon.status', {})
  if (!status.ok) return [bad('daemon', status.refusal.message, status.refusal.hint)]
  const { pid, version, web, snapshots, troubles } = status.value.result
  return [
    ok('daemon', `pid ${pid}, version ${version}, protocol ${running.value.identity?.protocol ?? '?'}`),
    web.trouble === null ? ok('page', web.url ?? 'switched off') : warn('page', web.trouble, 'Check [web] in config.toml.'),
    ...checkSnapshots(snapshots),
    ...troubles.map((trouble) => warn('daemon', trouble, 'Run holdfast daemon logs for details.')),
  ]
}

function checkSnapshots({ taken, inexact }: { readonly taken: number; readonly inexact: number }): readonly Finding[] {
  if (inexact === 0) return []
  return [
    warn(
      'snapshots',
      `${inexact} of ${taken} screens could not be saved exactly; earlier ones and the log are used instead`,
      'Nothing is lost. Please report the lines of holdfast daemon logs about it.',
    ),
  ]
}

export async function checkHolders(paths: Paths): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  let alive = 0
  for (const card of readCards(paths).cards) {
    const linking = await linkHolder({
      socketPath: card.socketPath,
      who: 'doctor',
      handlers: { message: () => undefined, closed: () => undefined },
    })
    const finding = judge(card, linking)
    if (linking.kind === 'linked') {
      linking.link.close()
      alive += 1
    }
    if (finding !== null) findings.push(finding)
  }
  return [ok('holders', `${alive} answering`), ...findings]
}

/** A card of an ended process needs nothing. */
function judge(card: HolderCard, linking: Linking): Finding | null {
  const who = `the holder of ${card.terminal} (pid ${card.holderPid})`
  if (linking.kind === 'incompatible')
    return warn(
      'holders',
      `${who} speaks protocol ${linking.speaks}`,
      'Its program keeps running. Use the version of Holdfast that started it to reach it.',
    )
  if (linking.kind === 'linked' || !isAlive(card.holderPid)) return null
  return bad(
    'holders',
    `${who} does not answer: ${linking.why}`,
    `Its program keeps running. If this persists, inspect the holder: ps -o pid,stat,cmd -p ${card.holderPid}`,
  )
}
