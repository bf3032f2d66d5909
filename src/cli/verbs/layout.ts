import type { Verb } from '../verb.ts'
import { activate } from './layout/activate.ts'
import { balance } from './layout/balance.ts'
import { preset } from './layout/preset.ts'
import { sizes } from './layout/sizes.ts'
import { unzoom } from './layout/unzoom.ts'
import { zoom } from './layout/zoom.ts'

export const verb: Verb = {
  name: 'layout',
  summary: 'Change how the terminals of a workspace share its room.',
  example: ['holdfast layout zoom api', 'holdfast layout preset main 4'],
  verbs: [zoom, unzoom, balance, preset, activate, sizes],
}
