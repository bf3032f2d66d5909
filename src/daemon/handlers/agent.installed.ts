import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const installedAgents: Handler<'agent.installed'> = () => refused(refusals.paramsInvalid('not built yet'))
