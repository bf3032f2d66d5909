import type { TerminalView } from '../../src/wire/view.ts'

/** A live shell, with whatever a test needs to be different. */
export const terminalView = (changes: Partial<TerminalView> = {}): TerminalView => ({
  id: 't1',
  name: null,
  title: '',
  state: 'live',
  because: null,
  trouble: null,
  run: 'r1',
  pid: 1,
  holderPid: 2,
  command: '/usr/bin/zsh',
  args: [],
  cwd: '/home/mia/src',
  size: { cols: 80, rows: 24 },
  sizedBy: { kind: 'nobody' },
  workspace: 'w1',
  foreground: null,
  agent: null,
  conversation: null,
  provenance: null,
  offers: null,
  onRestore: 'policy',
  created: 0,
  since: 0,
  ...changes,
})
