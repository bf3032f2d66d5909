import { useEffect, useState } from 'react'

const COVERS = 'dialog, [popover], [role="menu"]'

/** Whether the pointer is on something that lies over the workspace: what is below it must not take hold of it. */
export function useIsCovered(): boolean {
  const [isCovered, setIsCovered] = useState(false)
  useEffect(() => {
    const look = ({ target, buttons }: PointerEvent) => {
      if (buttons === 0) setIsCovered(target instanceof Element && target.closest(COVERS) !== null)
    }
    document.addEventListener('pointerover', look)
    return () => document.removeEventListener('pointerover', look)
  }, [])
  return isCovered
}
