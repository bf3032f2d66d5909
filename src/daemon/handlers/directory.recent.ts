import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const recentDirectories: Handler<'directory.recent'> = () => refused(refusals.paramsInvalid('not built yet'))
