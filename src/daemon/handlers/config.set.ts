import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const setConfig: Handler<'config.set'> = () => refused(refusals.paramsInvalid('not built yet'))
