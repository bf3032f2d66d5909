/** Verbs that change one property of a terminal: rename, resize, theme, pin, unpin, mute, unmute. */
import { SCHEME_NAMES } from '../../wire/pageSettings.ts'
import { changeEach, show } from '../core/answers.ts'
import { parseSize } from '../core/parse.ts'
import type { Run, Verb } from '../core/verb.ts'

export const rename: Verb = {
  name: 'rename',
  summary: "Rename a terminal ('' clears the name).",
  operands: '<id> <name>',
  example: ['holdfast rename t3k api', "holdfast rename api ''"],
  run: (cli, { operands: [terminal = '', name = ''] }) => show(cli, cli.ask('terminal.rename', { terminal, name })),
}

export const resize: Verb = {
  name: 'resize',
  summary: 'Resize a terminal.',
  details: [
    'The size stays until someone types into the terminal from a window of another',
    'size, or permanently with size_policy = "fixed".',
  ],
  operands: '<id> <colsxrows>',
  example: ['holdfast resize api 120x40'],
  run: async (cli, input) => {
    const [terminal = '', typed = ''] = input.operands
    const size = parseSize(typed)
    return size.ok ? await show(cli, cli.ask('terminal.resize', { terminal, size: size.value })) : size
  },
}

export const theme: Verb = {
  name: 'theme',
  summary: "Set the color theme of a terminal ('' clears it).",
  details: ['Themes:', ...SCHEME_NAMES.map((name) => `  ${name}`)],
  operands: '<id> <theme>',
  example: ['holdfast theme api solarized-dark', "holdfast theme api ''"],
  run: (cli, { operands: [terminal = '', typed = ''] }) =>
    show(cli, cli.ask('terminal.theme', { terminal, theme: typed === '' ? null : typed })),
}

const mark = (name: string, summary: string, run: Run): Verb => ({
  name,
  summary,
  operands: '<id...>',
  example: [`holdfast ${name} api`, `holdfast ${name} t3k t9q`],
  run,
})

const pinning =
  (pinned: boolean): Run =>
  (cli, input) =>
    changeEach(cli, input, (terminal) => cli.ask('terminal.pin', { terminal, pinned }))

const muting =
  (muted: boolean): Run =>
  (cli, input) =>
    changeEach(cli, input, (terminal) => cli.ask('terminal.mute', { terminal, muted }))

export const pin = mark('pin', 'Pin a terminal to the top of lists.', pinning(true))
export const unpin = mark('unpin', 'Unpin a terminal.', pinning(false))
export const mute = mark('mute', 'Mute notifications; unread marks stay.', muting(true))
export const unmute = mark('unmute', 'Unmute the notifications of a terminal.', muting(false))
