import type { CheckpointTerminalView } from '../../wire/checkpointView.ts'
import { Still } from '../tiles/Still.tsx'
import { nameOf } from '../words.ts'

type Props = { readonly terminal: CheckpointTerminalView; readonly checkpoint: string }

/** What a terminal showed then, as far as it was kept. */
export function StillOf({ terminal, checkpoint }: Props) {
  const { id, screen, theme, size } = terminal
  if (screen === null) return <span className="planBlank">No screen of it was kept then.</span>
  return (
    <Still
      terminal={id}
      checkpoint={checkpoint}
      run={screen.hash}
      theme={theme}
      size={size}
      label={`The screen of ${nameOf(terminal)} then`}
      missing="Its screen of then cannot be shown."
    />
  )
}
