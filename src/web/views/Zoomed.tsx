import type { TerminalView } from '../../wire/view.ts'
import { TileFrame } from './TileFrame.tsx'

/** One terminal alone in its workspace; its title bar says so, and leads back. */
export function Zoomed({ terminal }: { readonly terminal: TerminalView }) {
  return (
    <div className="zoomed">
      <TileFrame key={terminal.id} terminal={terminal} />
    </div>
  )
}
