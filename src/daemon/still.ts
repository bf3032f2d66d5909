/** The last screen of a terminal as a picture, of now or as a checkpoint has it. */
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { ScreenJson } from '../screen/formats.ts'
import { stillOf } from '../screen/still.ts'
import type { Daemon } from './daemon.ts'
import { checkpointScreen } from './handlers/checkpoint.screen.ts'
import { readTerminal } from './handlers/terminal.read.ts'
import type { StillAsked } from './web/stills.ts'

export async function drawStillOf(daemon: Daemon, { terminal, checkpoint, look }: StillAsked): Promise<Result<string>> {
  await daemon.booted
  const format = 'json'
  const answer =
    checkpoint === null
      ? await readTerminal(daemon, { terminal, history: 0, format })
      : await checkpointScreen(daemon, { checkpoint, terminal, format })
  if (!answer.ok) return answer
  const { content } = answer.result
  if (content === '') return refused(refusals.notKept(terminal))
  return done(stillOf(JSON.parse(content) as ScreenJson, look))
}
