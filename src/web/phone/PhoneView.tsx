import { usePageState, useParts } from '../parts.ts'
import { TileBody } from '../views/TileFrame.tsx'

/** One terminal at a time. */
export function PhoneView() {
  const { page } = useParts()
  const { focused } = usePageState()
  const terminal = page.mirror.terminal(focused)
  if (terminal === null) return null
  return <TileBody key={terminal.id} terminal={terminal} />
}
