/** The last screen of a terminal as an image: as it is now, of a run that it still names, or as a checkpoint has it. */
import type { RunId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { ScreenJson } from '../../screen/cells/formats.ts'
import { stillOf } from '../../screen/snapshot/still.ts'
import { COMMANDS } from '../../wire/commands/commands.ts'
import { runsNamedBy, type Terminal } from '../../workspace/terminal/terminal.ts'
import { covers, reach } from '../clients/allowed.ts'
import type { StillRequest } from '../web/stills.ts'
import { checkpointScreen } from './checkpoint.ts'
import { readTerminal } from './terminal.read.ts'
import type { Parts } from './world.ts'

type World = Pick<Parts, 'earlier' | 'registry' | 'runScreens' | 'screens' | 'store'>

export async function drawStillOf(daemon: World & { readonly booted: Promise<void> }, asked: StillRequest): Promise<Result<string>> {
  await daemon.booted
  const content = asked.checkpoint === null ? await contentOf(daemon, asked) : await contentThen(daemon, asked.checkpoint, asked)
  if (!content.ok) return content
  if (content.value === '') return refused(refusals.notKept(asked.terminal))
  return done(stillOf(JSON.parse(content.value) as ScreenJson, asked.look))
}

async function contentOf(daemon: World, { terminal: ref, run, capability }: StillRequest): Promise<Result<string>> {
  const found = reach(capability, { ref, need: 'read' }, daemon.registry.all())
  if (!found.ok) return found
  const before = runBefore(found.value, run)
  const kept = before === null ? null : await daemon.store.snapshot(before)
  const picture = kept === null ? null : await daemon.screens.picture(kept.bytes, 'json')
  if (picture !== null) return done(picture.content)
  const answer = await readTerminal(daemon, { terminal: found.value.id, history: 0, format: 'json' })
  return answer.ok ? done(answer.result.content) : answer
}

/** While it settles, the run whose screen was kept; while it wakes, the run before. Null where a read shows the right one. */
function runBefore(terminal: Terminal, asked: string | null): RunId | null {
  if (terminal.state === 'asleep') return null
  if (terminal.state === 'settling') return terminal.run
  const earlier = runsNamedBy(terminal).find((run) => run === asked && run !== terminal.run)
  return earlier ?? (terminal.state === 'waking' ? terminal.previousRun : null)
}

/** A terminal of a checkpoint may be gone now, so that a limited device can no longer be checked against it. */
async function contentThen(daemon: World, checkpoint: string, { terminal, capability }: StillRequest): Promise<Result<string>> {
  if (!covers(capability, COMMANDS['checkpoint.screen'].needs)) return refused(refusals.viewerMayNot())
  const answer = await checkpointScreen(daemon, { checkpoint, terminal, format: 'json' })
  return answer.ok ? done(answer.result.content) : answer
}
