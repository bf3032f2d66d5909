/** What forgetting removes, in words. */
import type { ForgetPlanView } from '../wire/commands/forget.ts'
import { mib } from './format.ts'

const MOST_SHOWN = 40 // a screen

const STATES: Readonly<Record<ForgetPlanView['terminals'][number]['state'], string>> = {
  running: 'running; its program is ended',
  asleep: 'asleep',
  closed: 'closed; it could still be reopened',
  gone: 'closed; only its history is left',
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
const some = (count: number, word: string): readonly string[] => (count === 0 ? [] : [counted(count, word)])

/** What goes, as the end of a sentence. */
function partsOf({ runs, screens, checkpoints, auditEntries, files }: ForgetPlanView): readonly string[] {
  return [
    ...some(runs, 'log'),
    ...some(screens, 'screen'),
    ...some(files, 'dropped file'),
    ...some(auditEntries, 'audit entry').map((text) => text.replace('entrys', 'entries')),
    ...some(checkpoints.removed, 'whole checkpoint'),
  ]
}

export function planLines(plan: ForgetPlanView): readonly string[] {
  const { terminals, checkpoints, copies, bytes } = plan
  const parts = partsOf(plan)
  const more = terminals.length - MOST_SHOWN
  return [
    terminals.length === 0 ? 'No terminal would be forgotten.' : `This would forget ${counted(terminals.length, 'terminal')}:`,
    ...terminals.slice(0, MOST_SHOWN).map(({ id, name, state }) => `  ${name ?? id}: ${STATES[state]}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(parts.length === 0 ? [] : [`It removes ${listed(parts)}, ${mib(bytes)} in all.`]),
    ...(checkpoints.changed === 0
      ? []
      : [`${counted(checkpoints.changed, 'checkpoint')} would stay, without ${terminals.length === 1 ? 'it' : 'them'}.`]),
    ...(copies === 0
      ? []
      : [`${counted(copies, 'file')} of damaged databases that were set aside would go: nothing can be cut from them.`]),
  ]
}

export function forgottenLines(plan: ForgetPlanView & { readonly trouble: string | null }): readonly string[] {
  const parts = partsOf(plan)
  const what = plan.terminals.length === 0 ? 'Forgot no terminal' : `Forgot ${counted(plan.terminals.length, 'terminal')}`
  return [`${what}${parts.length === 0 ? '' : `: ${listed(parts)}, ${mib(plan.bytes)} in all`}.`]
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
