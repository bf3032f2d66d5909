import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const addWorktree: Handler<'repository.addWorktree'> = () => refused(refusals.paramsInvalid('not built yet'))
