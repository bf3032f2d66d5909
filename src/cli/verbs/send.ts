import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { keysBytes } from '../../wire/keys.ts'
import { given, show } from '../core/answers.ts'
import { parseKeys, usage } from '../core/parse.ts'
import type { Cli, Verb } from '../core/verb.ts'

export const verb: Verb = {
  name: 'send',
  summary: 'Type text and keys into a terminal.',
  operands: '<id> [text]',
  options: [
    { flags: '--enter', help: 'press Enter after the text' },
    { flags: '--keys <keys>', help: 'keys to press, such as C-c,Up,Enter' },
  ],
  details: ['Sends the text, then the keys, then Enter, each on its own. - reads the text from stdin.'],
  example: ["holdfast send api 'npm test' --enter", 'holdfast send api --keys C-c', 'git diff | holdfast send claude - --enter'],
  run: async (cli, input) => {
    const [terminal = '', typed] = input.operands
    const keys = parseKeys(input.text('keys') ?? '')
    const enter = input.flag('enter')
    if (typed === undefined && keys.length === 0 && !enter) return usage('nothing to send: give a text, --keys or --enter')
    const known = keysBytes(keys)
    if (!known.ok) return known
    const text = typed === '-' ? await textOf(cli.stdin) : done(typed)
    if (!text.ok) return text
    const wanted = given({ text: text.value, keys: keys.length === 0 ? undefined : [...keys], enter: enter || undefined })
    return await show(cli, cli.ask('terminal.send', { terminal, ...wanted }))
  },
}

/** Refuses what is not UTF-8: decoding would change the bytes. */
async function textOf(stdin: Cli['stdin']): Promise<Result<string>> {
  const pieces: Buffer[] = []
  for await (const piece of stdin) pieces.push(Buffer.from(piece as Uint8Array))
  try {
    return done(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces)))
  } catch {
    return refused(refusals.usage('the standard input is not UTF-8 text', 'holdfast send --help'))
  }
}
