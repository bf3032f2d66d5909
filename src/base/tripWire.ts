/**
 * A test names a moment at which a process shall die: `POINT`, or `POINT#3` for the third time that it comes by there.
 * Says, for each moment, whether this is it.
 */
export function tripWire(armed: string | undefined): (point: string) => boolean {
  const [, wanted, pass] = /^(.*?)(?:#(\d+))?$/s.exec(armed ?? '') ?? []
  if (wanted === undefined || wanted === '') return () => false
  let left = Number(pass ?? 1)
  return (point) => {
    if (point !== wanted) return false
    left -= 1
    return left === 0
  }
}
