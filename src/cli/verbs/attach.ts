import { parseWholeLines } from '../core/parse.ts'
import type { Verb } from '../core/verb.ts'

export const verb: Verb = {
  name: 'attach',
  summary: 'Show a terminal here and type into it.',
  details: [
    'Detach: Ctrl-\\ twice, or Enter ~ . (to change: [attach] in config.toml).',
    'Scroll: Ctrl-\\ [ or Ctrl-\\ PageUp. The program keeps running. While scrolling:',
    '  arrows j k, PgUp PgDn space   move by lines, by pages',
    '  g G Home End                  first line, last line',
    '  / ? text Enter, n N           search down or up, next or previous match;',
    '                                capitals make the search case-sensitive',
    '  q Esc Ctrl-C                  back to the program',
  ],
  operands: '<id>',
  options: [{ flags: '--history <lines>', help: 'print this many older lines first (default: 1000)' }],
  example: ['holdfast attach api', 'holdfast attach api --history 0'],
  run: async (cli, input) => {
    const text = input.text('history')
    const history = text === undefined ? null : parseWholeLines(text)
    if (history !== null && !history.ok) return history
    const options = history === null ? {} : { history: history.value }
    return await (await import('../attach/attach.ts')).attach(input.operands[0] ?? '', cli, options)
  },
}
