import { expect, test } from 'vitest'
import { asleep, live, runId, terminalId } from '../../../test/support/terminals.ts'
import { structureOf } from './checkpoint.ts'

const one = live({ id: terminalId(1), name: 'api' })

test.each([
  ['a title', { ...one, title: 'spins' }],
  ['a size', { ...one, spec: { ...one.spec, size: { cols: 33, rows: 7 } } }],
  ['a touch', { ...one, touched: one.touched + 5 }],
  ['a foreground program', { ...one, foreground: { pid: 7, name: 'vim' } }],
  ['a link', { ...one, link: { kind: 'unreachable', why: 'gone' } } as const],
])('%s is no structure', (_, changed) => expect(structureOf(changed)).toBe(structureOf(one)))

test.each([
  ['a name', { ...one, name: 'web' }],
  ['a new run', { ...one, run: runId(9), lastRun: runId(9) }],
  ['where it is started', { ...one, spec: { ...one.spec, cwd: '/elsewhere' } }],
  ['a conversation', { ...one, restore: { kind: 'unknown', agent: 'claude' } } as const],
  ['sleep', asleep({ id: one.id, name: one.name })],
])('%s is structure', (_, changed) => expect(structureOf(changed)).not.toBe(structureOf(one)))
