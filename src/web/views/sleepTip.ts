/** The one time that somebody is told of sleep: when an agent has had nothing to do for a while. */
import { isAtRest } from '../../agents/state.ts'
import type { TerminalView } from '../../wire/view.ts'
import { decodeFlag, Remembered } from '../remembered.ts'

/** Whether this browser's user knows of it. */
export const SLEEP_TAUGHT = new Remembered({ key: 'sleepTaught', usual: false, decode: decodeFlag })

const IDLE_MS = 10 * 60_000

/** Whether this terminal is a good example. */
export const wantsSleepTip = ({ state, agent }: Pick<TerminalView, 'state' | 'agent'>, now: number): boolean =>
  state === 'live' && agent !== null && isAtRest(agent.state) && now - agent.since >= IDLE_MS
