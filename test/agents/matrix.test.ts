/** Every agent in every story: `npm run test:agents -- --agent pi --story crash` tells one. */
import { matrixOf } from '../support/agents/matrix/matrix.ts'

matrixOf()
