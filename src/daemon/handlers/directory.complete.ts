import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const completeDirectory: Handler<'directory.complete'> = () => refused(refusals.paramsInvalid('not built yet'))
