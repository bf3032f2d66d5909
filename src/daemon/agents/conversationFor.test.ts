import { expect, test } from 'vitest'
import { asleep } from '../../../test/support/terminals.ts'
import { pi } from '../../agents/programs/pi.ts'
import type { Restore } from '../../workspace/terminal/terminal.ts'
import { restoreOf } from './conversationFor.ts'
import type { SeenAgent } from './watched.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01'

/** What is kept as the command line of a resume. */
function argvOf(process: readonly string[], command: string, restore: Restore = { kind: 'unknown', agent: 'pi' }): readonly string[] {
  const seen = { agent: pi, process: { process: { argv: process }, cwd: '/p', env: {} }, wrapper: { kind: 'none' } } as unknown as SeenAgent
  const [program = '', ...args] = command.split(' ')
  const terminal = asleep({ spec: { ...asleep().spec, command: program, args }, restore })
  return restoreOf(seen, { id: ID, provenance: 'store', transcript: '/t', began: 1 }, terminal)?.argv ?? []
}

const kept: Restore = {
  kind: 'conversation',
  agent: 'pi',
  id: ID,
  provenance: 'store',
  argv: ['/x/pi', '--session', ID, '--thinking', 'off'],
}

test('a title that was written over the words of an agent does not replace what was kept', () => {
  expect(argvOf(['pi', '', ''], 'bash', kept)).toEqual(['/x/pi', '--session', ID, '--thinking', 'off'])
  expect(argvOf(['pi', '', ''], 'bash')).toEqual(['pi', '--session', ID])
  expect(argvOf(['/z/pi', '--thinking', 'high'], 'bash', kept)).toEqual(['/z/pi', '--session', ID, '--thinking', 'high'])
})
