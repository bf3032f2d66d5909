import { done } from '../../base/refusal.ts'
import { EXIT } from '../core/exit.ts'
import type { Verb } from '../core/verb.ts'
import { type Finding, guarded } from '../doctor/check.ts'
import { type Palette, paletteFor } from '../text/color.ts'

export const verb: Verb = {
  name: 'doctor',
  summary: 'Diagnose problems, without starting anything.',
  example: ['holdfast doctor'],
  run: async (cli) => {
    const tools = await import('../doctor/tools.ts')
    const state = await import('../doctor/state.ts')
    const processes = await import('../doctor/processes.ts')
    const { checkTmux } = await import('../doctor/tmux.ts')
    const findings = await Promise.all([
      guarded('node', () => tools.checkNode()),
      guarded('pty library', tools.checkPty),
      guarded('sqlite', tools.checkSqlite),
      guarded('tmux', () => checkTmux(cli.paths)),
      guarded('systemd scope', () => tools.checkScope(cli.env)),
      guarded('state directory', () => state.checkState(cli.paths)),
      guarded('config', () => state.checkConfig(cli.paths)),
      guarded('daemon', () => processes.checkDaemon(cli)),
      guarded('holders', () => processes.checkHolders(cli.paths)),
    ])
    const all = findings.flat()
    if (cli.isJson) cli.printJson(all)
    else cli.print(findingsText(all, paletteFor(cli)))
    return done(all.some(({ level }) => level === 'bad') ? EXIT.refused : EXIT.done)
  },
}

export function findingsText(findings: readonly Finding[], palette: Palette): string {
  const paint = { ok: palette.good, warn: palette.warn, bad: palette.bad }
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings
    .map(({ name, level, detail, advice }) => {
      const line = `${paint[level](level.padEnd(4))}  ${name.padEnd(width)}  ${detail}`
      return advice === '' ? line : `${line}\n${' '.repeat(width + 8)}${palette.dim(advice)}`
    })
    .join('\n')
}
