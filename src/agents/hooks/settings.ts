/**
 * Our hooks in a settings file of the user's, as text in and text out. Several agents have the same shape: under `hooks`, for each
 * event, groups of handlers. Only what is ours is added or taken away; everything else keeps its place and its form.
 */
import { append, styleOf, without } from './jsonEdit.ts'
import { itemsOf, type JsonNode, memberOf, parseJson, textOf } from './jsonText.ts'

/** What is to be there: the handler of each event, in this order. */
export type Wanted = Readonly<Record<string, object>>

/** `why` completes "FILE …". */
export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

type Presence = 'installed' | 'absent' | 'changed'

/** `text` is null where there is no file yet. Installed twice is installed once; what an older version left is renewed. */
export function installed(text: string | null, wanted: Wanted): Edited {
  if (text === null || text.trim() === '') return { ok: true, text: `${JSON.stringify(fresh(wanted), null, 2)}\n` }
  if (presence(text, wanted) === 'installed') return { ok: true, text }
  let cleared = removed(text, { before: text })
  for (const [event, handler] of Object.entries(wanted)) {
    if (!cleared.ok) return cleared
    cleared = withHandler(cleared.text, event, handler)
  }
  return cleared
}

const fresh = (wanted: Wanted): object => ({
  hooks: Object.fromEntries(Object.entries(wanted).map(([event, handler]) => [event, [groupOf(handler)]])),
})
const groupOf = (handler: object): object => ({ hooks: [handler] })

function withHandler(text: string, event: string, handler: object): Edited {
  const parsed = rootOf(text)
  if (!parsed.ok) return parsed
  const style = styleOf(text)
  const { root } = parsed
  const hooks = memberOf(root, 'hooks')
  const add = (to: JsonNode | undefined, key: string | null, value: unknown): Edited =>
    to?.kind === 'object' || to?.kind === 'array'
      ? { ok: true, text: append(text, { to, key, value }, style) }
      : { ok: false, why: 'has hooks of a shape that is not known here' }
  if (hooks === undefined) return add(root, 'hooks', { [event]: [groupOf(handler)] })
  if (hooks.kind !== 'object') return add(undefined, null, null)
  const groups = memberOf(hooks, event)
  if (groups === undefined) return add(hooks, event, [groupOf(handler)])
  return add(groups.kind === 'array' ? groups : undefined, null, groupOf(handler))
}

/** `before` is what the file was without us, if that is known: what was empty then stays. */
export function removed(text: string, { before }: { readonly before: string | null }): Edited {
  const parsed = rootOf(text)
  if (!parsed.ok) return parsed
  const was = before === null ? undefined : rootOf(before)
  const had = was?.ok === true ? was.root : undefined
  let now = text
  for (let next = withoutOne(now, had); next !== null; next = withoutOne(now, had)) now = next
  return { ok: true, text: now }
}

/** One of ours less, with everything that it alone made necessary; null when there is none. */
function withoutOne(text: string, had: JsonNode | undefined): string | null {
  const parsed = rootOf(text)
  const hooks = parsed.ok ? memberOf(parsed.root, 'hooks') : undefined
  if (!parsed.ok || hooks?.kind !== 'object' || parsed.root.kind !== 'object') return null
  for (const [eventIndex, { key: event, value: groups }] of hooks.members.entries()) {
    if (groups.kind !== 'array') continue
    for (const [groupIndex, group] of groups.items.entries()) {
      const handlers = memberOf(group, 'hooks')
      const ours = itemsOf(handlers).findIndex(isOurs)
      if (ours < 0 || handlers?.kind !== 'array') continue
      if (handlers.items.length > 1) return without(text, handlers, ours)
      if (groups.items.length > 1 || memberOf(memberOf(had, 'hooks'), event) !== undefined) return without(text, groups, groupIndex)
      if (hooks.members.length > 1 || memberOf(had, 'hooks') !== undefined) return without(text, hooks, eventIndex)
      return without(
        text,
        parsed.root,
        parsed.root.members.findIndex(({ value }) => value === hooks),
      )
    }
  }
  return null
}

const isOurs = (handler: JsonNode): boolean => isOurCommand(textOf(memberOf(handler, 'command')) ?? '')

function rootOf(text: string): { readonly ok: true; readonly root: JsonNode } | { readonly ok: false; readonly why: string } {
  const parsed = parseJson(text)
  if (!parsed.ok) return parsed
  if (parsed.root.kind !== 'object') return { ok: false, why: 'is not an object' }
  const twice = parsed.root.members.filter(({ key }) => key === 'hooks').length > 1
  return twice ? { ok: false, why: 'has "hooks" twice' } : parsed
}

/** Whether all of ours are there as they would be written now, none is, or something in between. */
export function presence(text: string, wanted: Wanted): Presence {
  const parsed = rootOf(text)
  const hooks = parsed.ok ? memberOf(parsed.root, 'hooks') : undefined
  const found =
    hooks?.kind !== 'object' ? [] : hooks.members.flatMap(({ key, value }) => handlersIn(value).map((handler) => ({ key, handler })))
  const ours = found.filter(({ handler }) => isOurs(handler))
  if (ours.length === 0) return 'absent'
  const written = ours.map(({ key, handler }) => JSON.stringify([key, JSON.parse(text.slice(handler.from, handler.to))]))
  const expected = Object.entries(wanted).map((entry) => JSON.stringify(entry))
  return written.toSorted().join() === expected.toSorted().join() ? 'installed' : 'changed'
}

const handlersIn = (groups: JsonNode): readonly JsonNode[] => itemsOf(groups).flatMap((group) => itemsOf(memberOf(group, 'hooks')))

/** Whether nothing is left but braces: then the file is of no use. */
export function isEmptySettings(text: string): boolean {
  const parsed = parseJson(text)
  return parsed.ok && parsed.root.kind === 'object' && parsed.root.members.length === 0
}

/**
 * What an agent runs when something happens: one line of shell that reports it to Holdfast. Outside a terminal of Holdfast, or
 * where Holdfast is gone, it only reads what it is given; it says nothing and never fails.
 */
export function hookCommand({
  agent,
  event,
  program,
}: {
  readonly agent: string
  readonly event: string
  readonly program: string
}): string {
  // The program that wrote the hook comes first: a project may have put another `holdfast` into PATH.
  const find = `{ h=${shellQuoted(program)}; [ -x "$h" ] || h=$(command -v holdfast); }`
  const report = `"$h" agent report ${agent} --event ${event}`
  return `if [ -n "$HOLDFAST_TERMINAL_ID" ] && ${find} && [ -x "$h" ]; then ${report}; else cat; fi >/dev/null 2>&1; exit 0`
}

/** Whichever version wrote it, and wherever Holdfast was then. */
const isOurCommand = (command: string): boolean =>
  command.includes('$HOLDFAST_TERMINAL_ID') && /\bagent report [a-z]+ --event [A-Za-z.]+/.test(command)

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
