import { expect, test } from 'vitest'
import type { CheckpointId } from '../../base/ids.ts'
import { restoredAfter, restoreNote } from './checkpoint.ts'

test('the note of a checkpoint before a restore tells what was restored; no other note does', () => {
  expect(restoredAfter(restoreNote('c1' as CheckpointId))).toBe('c1')
  expect([restoredAfter(null), restoredAfter('before the upgrade')]).toEqual([null, null])
})
