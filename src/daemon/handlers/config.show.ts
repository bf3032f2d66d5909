import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const showConfig: Handler<'config.show'> = () => refused(refusals.paramsInvalid('not built yet'))
