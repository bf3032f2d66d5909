import { done } from '../../../base/refusal.ts'
import { parsePath, parseShares } from '../../parse.ts'
import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const sizes: Verb = {
  name: 'sizes',
  summary: 'Say how the parts of a split share its room; only the ratio counts.',
  operands: '<workspace> <sizes...>',
  options: [{ flags: '--at <path>', help: 'which split: 2.1 is the first part of the second part (the outermost)' }, JSON_OPTION],
  example: ['holdfast layout sizes main 70 30', 'holdfast layout sizes main 1 1 2 --at 2'],
  run: async (input, host) => {
    const [workspace = '', ...typed] = input.operands
    const at = input.text('at')
    const path = at === undefined ? done([]) : parsePath(at)
    if (!path.ok) return path
    const shares = parseShares(typed)
    if (!shares.ok) return shares
    return await showForPrograms(input, host, host.ask('layout.sizes', { workspace, path: [...path.value], sizes: shares.value }))
  },
}
