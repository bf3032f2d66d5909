import type { Verb } from '../verb.ts'
import { arrange } from './canvas/arrange.ts'
import { place } from './canvas/place.ts'

export const verb: Verb = {
  name: 'canvas',
  summary: 'Change where the terminals of a workspace stand on its canvas.',
  example: ['holdfast canvas place api --at 0,0 --size 720x450', 'holdfast canvas arrange main'],
  verbs: [place, arrange],
}
