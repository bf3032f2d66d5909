import { done, type Result } from '../../base/refusal.ts'
import type { TerminalView } from '../../wire/view.ts'
import { commandText } from '../../workspace/commandText.ts'
import { START_OVER } from '../../workspace/startOver.ts'
import { typed } from '../confirm.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { agentText, stateText } from '../format.ts'
import type { Host } from '../host.ts'
import { usage } from '../parse.ts'
import { type Input, JSON_OPTION, type Verb } from '../verb.ts'

const MOST_SHOWN = 40 // a screen

export const verb: Verb = {
  name: 'start-over',
  summary: 'Close every terminal and begin with an empty workspace. A checkpoint that takes it back is kept first.',
  options: [{ flags: '--confirm <words>', help: `where nobody can be asked: the words “${START_OVER}”` }, JSON_OPTION],
  details: ['Programs are given time to finish, so that conversations can be resumed after a restore.'],
  example: ['holdfast start-over', `holdfast start-over --confirm "${START_OVER}"`],
  run: async (input, host) => {
    const agreed = await isMeant(input, host)
    if (!agreed.ok) return agreed
    if (!agreed.value) return done(EXIT.refused)
    const answer = await host.ask('workspace.startOver', { confirm: START_OVER })
    if (!answer.ok) return answer
    const { checkpoint, closed } = answer.value.result
    if (input.flag('json')) host.printJson(answer.value.result)
    else host.print(`Closed ${counted(closed.length)}.\nholdfast restore ${checkpoint} takes it back.`)
    return done<ExitCode>(EXIT.done)
  },
}

async function isMeant(input: Input, host: Host): Promise<Result<boolean>> {
  const words = input.text('confirm')
  if (words !== undefined) return words.trim() === START_OVER ? done(true) : usage(`--confirm takes the words "${START_OVER}"`)
  if (host.stdin.isTTY !== true) return usage(`nobody can be asked here; --confirm "${START_OVER}" says that it is meant`)
  const listed = await host.ask('terminal.list', {})
  if (!listed.ok) return listed
  const question = `${linesOf(listed.value.result, Date.now()).join('\n')}\nType ${START_OVER} to go on, or anything else to leave it: `
  return done((await typed(question, host)) === START_OVER)
}

function linesOf(terminals: readonly TerminalView[], now: number): readonly string[] {
  if (terminals.length === 0) return ['There is no terminal; workspaces and groups are taken away.']
  const lines = terminals.slice(0, MOST_SHOWN).map((terminal) => {
    const { id, name, command, args, agent } = terminal
    const what = agent === null ? commandText(command, args) : agentText(agent, now)
    return `  ${name ?? id}: ${stateText(terminal)}, ${what}`
  })
  const more = terminals.length - MOST_SHOWN
  return [
    `This would close ${counted(terminals.length)}, and take all workspaces away:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

const counted = (count: number): string => `${count} ${count === 1 ? 'terminal' : 'terminals'}`
