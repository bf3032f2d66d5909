/** All verbs, in the order of the help. Only the typed one is loaded, so that a command starts quickly. */
import type { Verb } from './core/verb.ts'

export const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  new: async () => (await import('./verbs/new.ts')).verb,
  ls: async () => (await import('./verbs/ls.ts')).verb,
  adopt: async () => (await import('./verbs/adopt.ts')).verb,
  attach: async () => (await import('./verbs/attach.ts')).verb,
  send: async () => (await import('./verbs/send.ts')).verb,
  read: async () => (await import('./verbs/read.ts')).verb,
  search: async () => (await import('./verbs/search.ts')).verb,
  wait: async () => (await import('./verbs/wait.ts')).verb,
  resize: async () => (await import('./verbs/terminal.ts')).resize,
  rename: async () => (await import('./verbs/terminal.ts')).rename,
  wake: async () => (await import('./verbs/wake.ts')).verb,
  sleep: async () => (await import('./verbs/sleep.ts')).verb,
  move: async () => (await import('./verbs/layout.ts')).move,
  pin: async () => (await import('./verbs/terminal.ts')).pin,
  unpin: async () => (await import('./verbs/terminal.ts')).unpin,
  mute: async () => (await import('./verbs/terminal.ts')).mute,
  unmute: async () => (await import('./verbs/terminal.ts')).unmute,
  theme: async () => (await import('./verbs/terminal.ts')).theme,
  close: async () => (await import('./verbs/close.ts')).close,
  reopen: async () => (await import('./verbs/close.ts')).reopen,
  forget: async () => (await import('./verbs/forget.ts')).verb,
  agent: async () => (await import('./verbs/agent.ts')).verb,
  workspace: async () => (await import('./verbs/workspace.ts')).verb,
  group: async () => (await import('./verbs/group.ts')).verb,
  layout: async () => (await import('./verbs/layout.ts')).layout,
  canvas: async () => (await import('./verbs/layout.ts')).canvas,
  worktree: async () => (await import('./verbs/worktree.ts')).verb,
  restore: async () => (await import('./verbs/restore.ts')).verb,
  'start-over': async () => (await import('./verbs/close.ts')).startOver,
  checkpoint: async () => (await import('./verbs/checkpoint.ts')).verb,
  export: async () => (await import('./verbs/export.ts')).exportVerb,
  import: async () => (await import('./verbs/export.ts')).importVerb,
  daemon: async () => (await import('./verbs/daemon.ts')).verb,
  service: async () => (await import('./verbs/service.ts')).verb,
  health: async () => (await import('./verbs/health.ts')).verb,
  doctor: async () => (await import('./verbs/doctor.ts')).verb,
  auth: async () => (await import('./verbs/auth.ts')).verb,
  config: async () => (await import('./verbs/config.ts')).verb,
  completion: async () => (await import('./verbs/shells.ts')).completion,
  'shell-integration': async () => (await import('./verbs/shells.ts')).shellIntegration,
}

export const isVerb = (name: string): boolean => Object.hasOwn(VERBS, name)

/** The verb that the command line begins with; without one, all of them, to print help and to suggest. */
export async function verbsFor(argv: readonly string[]): Promise<readonly Verb[]> {
  const load = isVerb(argv[0] ?? '') ? VERBS[argv[0] ?? ''] : undefined
  return load === undefined ? await loadAllVerbs() : [await load()]
}

export const loadAllVerbs = (): Promise<readonly Verb[]> => Promise.all(Object.values(VERBS).map((load) => load()))
