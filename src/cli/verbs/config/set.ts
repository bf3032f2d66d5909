import { changeOption } from '../../changeOption.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const set: Verb = {
  name: 'set',
  summary: 'Set an option in config.toml; comments and the rest of the file stay.',
  operands: '<key> <value>',
  options: [JSON_OPTION],
  details: [
    'A running daemon hears of it at once. VALUE is a text, a number, true, false, or as it would stand in the file.',
    'An entry of a section with free keys goes by its name: holdfast config set page.keys.palette Ctrl+P.',
  ],
  example: ['holdfast config set page.theme dark', `holdfast config set env.allow '["ACME_*"]'`],
  run: async (input, host) => {
    const [key = '', typed = ''] = input.operands
    const { typedValue } = await import('../../../wire/configTyped.ts')
    return await changeOption(host, { key, value: typedValue(key, typed), isJson: input.flag('json') })
  },
}

export const unset: Verb = {
  name: 'unset',
  summary: 'Take an option out of config.toml, so that its default is in force.',
  operands: '<key>',
  options: [JSON_OPTION],
  example: ['holdfast config unset page.theme'],
  run: async (input, host) => await changeOption(host, { key: input.operands[0] ?? '', value: null, isJson: input.flag('json') }),
}
