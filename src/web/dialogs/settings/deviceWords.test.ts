import { expect, it } from 'vitest'
import type { DeviceView } from '../../../wire/deviceView.ts'
import { ageWords, mayWords } from './deviceWords.ts'

const device = (changes: Partial<DeviceView> = {}): DeviceView => ({
  ...{ id: 'd0000000001', name: 'Firefox on Linux', address: 'http://127.0.0.1:4653', capability: { kind: 'everything' } },
  ...{ firstUsed: 0, lastUsed: 0, expires: 0, open: 0, isCurrent: false, addedBy: null },
  ...changes,
})

it('says what a device may do', () => {
  expect(mayWords(device())).toBe('Everything')
  expect(mayWords(device({ capability: { kind: 'view', terminals: 'all' } }))).toBe('View only')
  expect(mayWords(device({ capability: { kind: 'view', terminals: ['t0000000001' as never] } }))).toBe('Views 1 terminal')
})

it('says how long ago it was used', () => {
  expect([ageWords(0, 1_000), ageWords(0, 3 * 60_000)]).toEqual(['just now', '3 min ago'])
})
