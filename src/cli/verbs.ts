/** All verbs, in the order of the help. Only the one that was typed is loaded: a command must start in no time. */
import type { Verb } from './verb.ts'

type Load = () => Promise<{ readonly verb: Verb }>

export const VERBS: Readonly<Record<string, Load>> = {
  new: () => import('./verbs/new.ts'),
  ls: () => import('./verbs/ls.ts'),
  adopt: () => import('./verbs/adopt.ts'),
  attach: () => import('./verbs/attach.ts'),
  send: () => import('./verbs/send.ts'),
  read: () => import('./verbs/read.ts'),
  search: () => import('./verbs/search.ts'),
  wait: () => import('./verbs/wait.ts'),
  resize: () => import('./verbs/resize.ts'),
  rename: () => import('./verbs/rename.ts'),
  wake: () => import('./verbs/wake.ts'),
  sleep: () => import('./verbs/sleep.ts'),
  move: () => import('./verbs/move.ts'),
  pin: () => import('./verbs/pin.ts'),
  unpin: () => import('./verbs/unpin.ts'),
  mute: () => import('./verbs/mute.ts'),
  unmute: () => import('./verbs/unmute.ts'),
  theme: () => import('./verbs/theme.ts'),
  close: () => import('./verbs/close.ts'),
  reopen: () => import('./verbs/reopen.ts'),
  forget: () => import('./verbs/forget.ts'),
  agent: () => import('./verbs/agent.ts'),
  workspace: () => import('./verbs/workspace.ts'),
  group: () => import('./verbs/group.ts'),
  layout: () => import('./verbs/layout.ts'),
  canvas: () => import('./verbs/canvas.ts'),
  worktree: () => import('./verbs/worktree.ts'),
  restore: () => import('./verbs/restore.ts'),
  'start-over': () => import('./verbs/startOver.ts'),
  checkpoint: () => import('./verbs/checkpoint.ts'),
  export: () => import('./verbs/export.ts'),
  import: () => import('./verbs/import.ts'),
  daemon: () => import('./verbs/daemon.ts'),
  service: () => import('./verbs/service.ts'),
  health: () => import('./verbs/health.ts'),
  doctor: () => import('./verbs/doctor.ts'),
  auth: () => import('./verbs/auth.ts'),
  config: () => import('./verbs/config.ts'),
  completion: () => import('./verbs/completion.ts'),
  'shell-integration': () => import('./verbs/shellIntegration.ts'),
}

export const isVerb = (name: string): boolean => Object.hasOwn(VERBS, name)

/** The verbs needed to understand this command line: the one it begins with, or all to help and to suggest. */
export async function verbsFor(argv: readonly string[]): Promise<readonly Verb[]> {
  const typed = argv[0] ?? ''
  const loads = isVerb(typed) ? [VERBS[typed]] : Object.values(VERBS)
  const loaded = await Promise.all(loads.map((load) => load?.()))
  return loaded.flatMap((module) => (module === undefined ? [] : [module.verb]))
}

export const loadAllVerbs = (): Promise<readonly Verb[]> => verbsFor([])
