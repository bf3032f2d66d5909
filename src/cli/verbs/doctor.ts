import { done } from '../../base/refusal.ts'
import { type Palette, paletteFor } from '../colour.ts'
import { type Finding, guarded } from '../doctor/check.ts'
import { EXIT } from '../exit.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'doctor',
  summary: 'Check what Holdfast needs and how it does, and say what to do. Starts nothing.',
  options: [JSON_OPTION],
  example: ['holdfast doctor'],
  run: async (input, host) => {
    const tools = await import('../doctor/tools.ts')
    const state = await import('../doctor/state.ts')
    const processes = await import('../doctor/processes.ts')
    const { checkTmux } = await import('../doctor/tmux.ts')
    const { checkConfig } = await import('../doctor/configFile.ts')
    const findings = await Promise.all([
      guarded('node', () => tools.checkNode()),
      guarded('pty library', tools.checkPty),
      guarded('sqlite', tools.checkSqlite),
      guarded('tmux', () => checkTmux(host.paths)),
      guarded('systemd scope', () => tools.checkScope(host.env)),
      guarded('state directory', () => state.checkState(host.paths)),
      guarded('config', () => checkConfig(host.paths)),
      guarded('daemon', () => processes.checkDaemon(host)),
      guarded('holders', () => processes.checkHolders(host.paths)),
    ])
    const all = findings.flat()
    if (input.flag('json')) host.printJson(all)
    else host.print(findingsText(all, paletteFor(host.stdout, host.env)))
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
