/** Some cells of the matrix of `npm run test:agents`, with the agents that are installed for this line anyway. */
import { describe } from 'vitest'
import { testCell } from '../support/agents/matrix/matrix.ts'

describe.concurrent('agents', () => {
  testCell('codex', 'silent')
  testCell('claude', 'new')
  testCell('codex', 'deleted')
})
