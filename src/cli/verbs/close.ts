import { done } from '../../base/refusal.ts'
import { commandText } from '../../workspace/commandText.ts'
import { findTerminal } from '../../workspace/find.ts'
import { confirm } from '../confirm.ts'
import { forEach } from '../each.ts'
import { EXIT } from '../exit.ts'
import type { Host } from '../host.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'close',
  summary: 'End a terminal’s program, if it runs, and forget the terminal with its history.',
  operands: '<id...>',
  completes: 'terminals',
  options: [{ flags: '-y, --yes', help: 'do not ask, even if the program runs' }, JSON_OPTION],
  example: ['holdfast close api', 'holdfast close --yes t3k t9q'],
  run: async (input, host) => {
    if (!input.flag('yes') && host.stdin.isTTY === true && !(await agreed(input.operands, host))) return done(EXIT.refused)
    const closed: string[] = []
    const outcome = await forEach(input.operands, host, async (terminal) => {
      const answer = await host.ask('terminal.close', { terminal })
      if (answer.ok) closed.push(terminal)
      return answer
    })
    if (input.flag('json')) host.printJson(closed)
    return outcome
  },
}

/** Only a running program is worth a question; whatever cannot be found is refused by the daemon, with its reason. */
async function agreed(refs: readonly string[], host: Host): Promise<boolean> {
  const listed = await host.ask('terminal.list', {})
  if (!listed.ok) return true
  const running = refs.flatMap((ref) => {
    const found = findTerminal(ref, listed.value.result)
    return found.ok && found.value.state !== 'asleep' ? [found.value] : []
  })
  if (running.length === 0) return true
  const names = running.map(({ id, name, command, args }) => `  ${name ?? id}: ${commandText(command, args)}`)
  return await confirm(`Still running:\n${names.join('\n')}\nEnd ${running.length === 1 ? 'it' : 'them'}?`, host)
}
