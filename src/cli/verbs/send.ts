import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { keysBytes } from '../../wire/keys.ts'
import { EXIT } from '../exit.ts'
import type { Host } from '../host.ts'
import { parseKeys, usage } from '../parse.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'send',
  summary: 'Type into a terminal: the text, then the keys, then Enter, each on its own.',
  operands: '<id> [text]',
  completes: 'terminal',
  options: [
    { flags: '--enter', help: 'press Enter when the text has settled' },
    { flags: '--keys <keys>', help: 'keys to press, such as C-c,Up,Enter' },
    JSON_OPTION,
  ],
  example: ["holdfast send api 'npm test' --enter", 'holdfast send api --keys C-c', 'git diff | holdfast send claude - --enter'],
  run: async (input, host) => {
    const [terminal = '', typed] = input.operands
    const keys = parseKeys(input.text('keys') ?? '')
    const enter = input.flag('enter')
    if (typed === undefined && keys.length === 0 && !enter) return usage('there is nothing to send: give a text, --keys or --enter')
    const known = keysBytes(keys)
    if (!known.ok) return known
    const text = typed === '-' ? await textOf(host.stdin) : done(typed)
    if (!text.ok) return text
    const sent = await host.ask('terminal.send', {
      terminal,
      ...(text.value === undefined ? {} : { text: text.value }),
      ...(keys.length === 0 ? {} : { keys: [...keys] }),
      ...(enter ? { enter } : {}),
    })
    if (!sent.ok) return sent
    if (input.flag('json')) host.printJson(sent.value.result)
    return done(EXIT.done)
  },
}

/** Refused rather than altered: a byte that is no text would arrive as another one. */
async function textOf(stdin: Host['stdin']): Promise<Result<string>> {
  const pieces: Buffer[] = []
  for await (const piece of stdin) pieces.push(Buffer.from(piece as Uint8Array))
  try {
    return done(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces)))
  } catch {
    return refused(refusals.usage('what came on the standard input is not UTF-8 text', 'holdfast send --help'))
  }
}
