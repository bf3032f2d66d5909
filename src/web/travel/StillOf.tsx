import type { CheckpointTerminalView } from '../../wire/checkpointView.ts'

type Props = { readonly terminal: CheckpointTerminalView; readonly checkpoint: string }

/** What a terminal showed then, as far as it was kept. */
export function StillOf({ terminal, checkpoint }: Props) {
  if (terminal.screen === null) return <span className="planBlank">No screen of it was kept then.</span>
  return <span className="planBlank">{checkpoint}</span>
}
