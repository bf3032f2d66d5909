import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import { parseHistory, usage } from '../parse.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

const FORMATS = ['text', 'ansi', 'html', 'json'] as const

export const verb: Verb = {
  name: 'read',
  summary: 'Print what a terminal shows, with its history if asked for.',
  operands: '<id>',
  completes: 'terminal',
  options: [
    { flags: '--history <lines>', help: 'also this many lines above the screen, or "all"' },
    { flags: '--format <format>', help: 'text, ansi, html or json (text)', choices: FORMATS },
    { ...JSON_OPTION, help: 'the same as --format json' },
  ],
  example: ['holdfast read api', 'holdfast read api --history all | grep ERROR'],
  run: async (input, host) => {
    const history = parseHistory(input.text('history') ?? '0')
    if (!history.ok) return history
    const asked = input.flag('json') ? 'json' : (input.text('format') ?? 'text')
    const format = FORMATS.find((known) => known === asked)
    if (format === undefined) return usage(`there is no format "${asked}"`)
    const read = await host.ask('terminal.read', { terminal: input.operands[0] ?? '', history: history.value, format })
    if (!read.ok) return read
    const { content, faults = [] } = read.value.result
    host.stdout.write(content.endsWith('\n') || content === '' ? content : `${content}\n`)
    for (const fault of faults) host.complain(`holdfast: part of its history is lost: ${fault}`)
    return done(EXIT.done)
  },
}
