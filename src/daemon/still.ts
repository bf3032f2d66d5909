/** The last screen of a terminal as a picture: of now, of a run that it still names, or as a checkpoint has it. */
import type { RunId } from '../base/ids.ts'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { ScreenJson } from '../screen/formats.ts'
import { stillOf } from '../screen/still.ts'
import { COMMANDS } from '../wire/commands.ts'
import { runsNamedBy, type Terminal } from '../workspace/terminal.ts'
import { covers, reach } from './clients/allowed.ts'
import type { Daemon } from './daemon.ts'
import { checkpointScreen } from './handlers/checkpoint.screen.ts'
import { readTerminal } from './handlers/terminal.read.ts'
import type { StillAsked } from './web/stills.ts'

export async function drawStillOf(daemon: Daemon, asked: StillAsked): Promise<Result<string>> {
  await daemon.booted
  const content = asked.checkpoint === null ? await contentOf(daemon, asked) : await contentThen(daemon, asked.checkpoint, asked)
  if (!content.ok) return content
  if (content.value === '') return refused(refusals.notKept(asked.terminal))
  return done(stillOf(JSON.parse(content.value) as ScreenJson, asked.look))
}

async function contentOf(daemon: Daemon, { terminal: ref, run, capability }: StillAsked): Promise<Result<string>> {
  const found = reach(capability, { ref, need: 'read' }, daemon.registry.all())
  if (!found.ok) return found
  const before = runBefore(found.value, run)
  const kept = before === null ? null : await daemon.store.snapshot(before)
  const picture = kept === null ? null : await daemon.screens.picture(kept.bytes, 'json')
  if (picture !== null) return done(picture.content)
  const answer = await readTerminal(daemon, { terminal: found.value.id, history: 0, format: 'json' })
  return answer.ok ? done(answer.result.content) : answer
}

/** While it settles, the run whose picture was kept before; while it wakes, the one from before. Asleep, a read tells it. */
function runBefore(terminal: Terminal, asked: string | null): RunId | null {
  if (terminal.state === 'asleep') return null
  if (terminal.state === 'settling') return terminal.run
  const earlier = runsNamedBy(terminal).find((run) => run === asked && run !== terminal.run)
  return earlier ?? (terminal.state === 'waking' ? terminal.previousRun : null)
}

/** A terminal of a checkpoint may be gone by now, and so may be what a limited device sees of it. */
async function contentThen(daemon: Daemon, checkpoint: string, { terminal, capability }: StillAsked): Promise<Result<string>> {
  if (!covers(capability, COMMANDS['checkpoint.screen'].needs)) return refused(refusals.viewerMayNot())
  const answer = await checkpointScreen(daemon, { checkpoint, terminal, format: 'json' })
  return answer.ok ? done(answer.result.content) : answer
}
