import { done } from '../../base/refusal.ts'
import type { Outcome } from '../../wire/commands.ts'
import { closingLines } from '../closingText.ts'
import { confirm } from '../confirm.ts'
import { forEach } from '../each.ts'
import { EXIT } from '../exit.ts'
import type { Host } from '../host.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'close',
  summary: 'End a terminal’s program, if it runs, and take the terminal away. For five minutes holdfast reopen brings it back.',
  operands: '<id...>',
  completes: 'terminals',
  options: [
    { flags: '-y, --yes', help: 'do not ask, even if something would be lost' },
    { flags: '--remove-worktree', help: 'remove the git worktree that it is in, if that is clean; the branch stays' },
    JSON_OPTION,
  ],
  details: [
    'A worktree with uncommitted changes, untracked files, commits of its own or another terminal in it is left, and it is said why.',
    'Files that git ignores go with a worktree that is removed. A guest of your own tmux is only let go: its program goes on there.',
  ],
  example: ['holdfast close api', 'holdfast close --yes t3k t9q', 'holdfast close --remove-worktree fix'],
  run: async (input, host) => {
    if (!input.flag('yes') && host.stdin.isTTY === true && !(await agreed(input.operands, host))) return done(EXIT.refused)
    const removeWorktree = input.flag('removeWorktree')
    const closed: Outcome<'terminal.close'>[] = []
    const outcome = await forEach(input.operands, host, async (terminal) => {
      const answer = await host.ask('terminal.close', { terminal, ...(removeWorktree ? { removeWorktree } : {}) })
      if (!answer.ok) return answer
      closed.push(answer.value.result)
      if (!input.flag('json')) host.print(closedText(terminal, answer.value.result))
      return answer
    })
    if (input.flag('json')) host.printJson(closed)
    return outcome
  },
}

function closedText(ref: string, { id, goesOn, worktree }: Outcome<'terminal.close'>): string {
  const gone = goesOn ? `Let go of ${ref}: its program goes on in your tmux.` : `Closed ${ref}.`
  const closed = `${gone} holdfast reopen ${id} brings it back within five minutes.`
  if (worktree === null) return closed
  if (worktree.removed) return `${closed}\nRemoved its worktree ${worktree.path}; the branch stays.`
  return `${closed}\nIts worktree was left: ${worktree.why}.`
}

/** Only what would be lost is worth a question; whatever cannot be found is refused by the daemon, with its reason. */
async function agreed(refs: readonly string[], host: Host): Promise<boolean> {
  const answers = await Promise.all(refs.map((terminal) => host.ask('terminal.closing', { terminal })))
  const costly = answers.flatMap((answer) => (answer.ok && answer.value.result.asks ? [answer.value.result] : []))
  if (costly.length === 0) return true
  const lines = costly.flatMap((closing) => closingLines(closing, Date.now()))
  return await confirm(`This would go:\n${lines.join('\n')}\nClose ${refs.length === 1 ? 'it' : 'them'}?`, host)
}
