/** How a device is spoken of. Pure. */
import type { DeviceView } from '../../../wire/deviceView.ts'
import { howLong } from '../../state/words.ts'

export function ageWords(at: number, now: number): string {
  const age = howLong(at, now)
  return age === 'now' ? 'just now' : `${age} ago`
}

export function mayWords({ capability }: DeviceView): string {
  if (capability.kind !== 'view') return 'Everything'
  if (capability.terminals === 'all') return 'View only'
  return `Views ${capability.terminals.length} terminal${capability.terminals.length === 1 ? '' : 's'}`
}
