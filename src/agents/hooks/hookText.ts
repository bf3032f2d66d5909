/** A file with hooks before and after, whichever kind of file it is. */
import type { HookTarget } from './hookTargets.ts'
import { isOurPlugin } from './openCodePlugin.ts'
import { type Edited, installed, isEmptySettings, presence, removed } from './settings.ts'

export type Presence =
  | { readonly kind: 'installed' | 'absent' | 'changed' }
  /** `why` goes on from the name of the file. */
  | { readonly kind: 'unusable'; readonly why: string }

type Content = Pick<HookTarget, 'content'>

const FOREIGN = 'was not written by Holdfast'

export function textWith({ content }: Content, text: string | null, program: string): Edited {
  if (content.kind === 'settings') return installed(text, content.wanted(program))
  return text === null || isOurPlugin(text) ? { ok: true, text: content.text(program) } : { ok: false, why: FOREIGN }
}

export function presenceIn(target: Content, text: string | null, program: string): Presence {
  if (text === null) return { kind: 'absent' }
  const { content } = target
  const edited = textWith(target, text, program)
  if (!edited.ok) return { kind: 'unusable', why: edited.why }
  if (content.kind === 'settings') return { kind: presence(text, content.wanted(program)) }
  return { kind: edited.text === text ? 'installed' : 'changed' }
}

/** A `text` of null: there is nothing left to be a file. */
export type Without = { readonly ok: true; readonly text: string | null } | { readonly ok: false; readonly why: string }

/** `backups` are what the file was before our installations, newest first. */
export function textWithout(
  target: Content,
  text: string,
  options: { readonly program: string; readonly backups: readonly string[] },
): Without {
  const { content } = target
  if (content.kind === 'plugin') return isOurPlugin(text) ? { ok: true, text: null } : { ok: false, why: FOREIGN }
  const without = options.backups.filter((backup) => presenceIn(target, backup, options.program).kind === 'absent')
  const exact = without.find((backup) => isText(textWith(target, backup, options.program), text))
  if (exact !== undefined) return { ok: true, text: exact }
  const before = without[0] ?? null
  const edited = removed(text, { before })
  return edited.ok && before === null && isEmptySettings(edited.text) && edited.text !== text ? { ok: true, text: null } : edited
}

const isText = (edited: Edited, text: string): boolean => edited.ok && edited.text === text
