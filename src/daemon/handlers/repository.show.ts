import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const showRepository: Handler<'repository.show'> = () => refused(refusals.paramsInvalid('not built yet'))
