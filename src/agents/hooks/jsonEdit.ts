/** Adds to and takes from JSON text; what was added by `append` is taken away again by `without`, to the last blank. */
import type { JsonNode } from './jsonText.ts'

export type Style = { readonly indent: string; readonly newline: string }

/** As the file has it: the first line that begins with blanks shows how deep one level is. */
export function styleOf(text: string): Style {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return { indent, newline: text.includes('\r\n') ? '\r\n' : '\n' }
}

type Container = Extract<JsonNode, { readonly kind: 'object' | 'array' }>

/** `key` is for objects. */
export type Addition = { readonly to: Container; readonly key: string | null; readonly value: unknown }

export function append(text: string, { to, key, value }: Addition, style: Style): string {
  const entries = extentsOf(to)
  const last = entries.at(-1)
  const depth = depthOf(text, to, style)
  const isOneLine = last !== undefined && !text.slice(to.from, to.to).includes('\n')
  const shape = isOneLine ? null : { ...style, depth: depth + 1 }
  const entry = (key === null ? '' : `${JSON.stringify(key)}: `) + jsonText(value, shape)
  if (last === undefined) {
    const inner = `${style.newline}${style.indent.repeat(depth + 1)}${entry}${style.newline}${style.indent.repeat(depth)}`
    return splice(text, to.from + 1, to.to - 1, inner)
  }
  const gap = isOneLine ? ' ' : `${style.newline}${style.indent.repeat(depth + 1)}`
  return splice(text, last.to, last.to, `,${gap}${entry}`)
}

/** Without its entry of this index, and without the comma beside it. */
export function without(text: string, container: Container, index: number): string {
  const entries = extentsOf(container)
  const entry = entries[index]
  if (entry === undefined) return text
  const [before, after] = [entries[index - 1], entries[index + 1]]
  if (before !== undefined) return splice(text, before.to, entry.to, '')
  if (after !== undefined) return splice(text, entry.from, after.from, '')
  return splice(text, container.from + 1, container.to - 1, '')
}

function extentsOf(container: Container): readonly { readonly from: number; readonly to: number }[] {
  return container.kind === 'array' ? container.items : container.members.map(({ from, value }) => ({ from, to: value.to }))
}

/** How many levels the line is indented on which it begins. */
function depthOf(text: string, { from }: Container, { indent }: Style): number {
  const line = text.slice(text.lastIndexOf('\n', from) + 1)
  let depth = 0
  while (line.startsWith(indent, depth * indent.length)) depth += 1
  return depth
}

/** On one line where `shape` is null. */
function jsonText(value: unknown, shape: (Style & { readonly depth: number }) | null): string {
  if (shape === null) return JSON.stringify(value)
  return JSON.stringify(value, null, shape.indent).replaceAll('\n', `${shape.newline}${shape.indent.repeat(shape.depth)}`)
}

const splice = (text: string, from: number, to: number, piece: string): string => text.slice(0, from) + piece + text.slice(to)
