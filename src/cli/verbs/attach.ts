import { parseWholeLines } from '../parse.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'attach',
  summary: 'Show a terminal here and type into it. Detach with Ctrl-\\ twice, or with Enter ~ . (see [attach] in config.toml).',
  details: [
    'Ctrl-\\ [ or Ctrl-\\ PageUp scrolls through all older lines, while the program runs on:',
    '  arrows j k, PgUp PgDn space   move by lines, by pages',
    '  g G Home End                  to the first line, to the last',
    '  / ? text Enter, n N           search down or up, go on or back; capitals must match',
    '  q Esc Ctrl-C                  back to the program',
  ],
  operands: '<id>',
  completes: 'terminal',
  options: [{ flags: '--history <lines>', help: 'paint this many older lines first, for your own scrollback (1000)' }, JSON_OPTION],
  example: ['holdfast attach api', 'holdfast attach api --history 0'],
  run: async (input, host) => {
    const text = input.text('history')
    const history = text === undefined ? null : parseWholeLines(text)
    if (history !== null && !history.ok) return history
    const options = history === null ? {} : { history: history.value }
    return await (await import('../attach/attach.ts')).attach(input.operands[0] ?? '', host, options)
  },
}
