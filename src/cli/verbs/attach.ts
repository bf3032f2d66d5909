import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'attach',
  summary: 'Show a terminal here and type into it. Detach with Ctrl-\\ twice, or with Enter ~ . (see [attach] in config.toml).',
  operands: '<id>',
  completes: 'terminal',
  options: [JSON_OPTION],
  example: ['holdfast attach api'],
  run: async (input, host) => await (await import('../attach/attach.ts')).attach(input.operands[0] ?? '', host),
}
