/** Values that fit a schema of ours, made from what the schema says about itself. */
import fc from 'fast-check'
import { z } from 'zod'
import { nastyJson, nastyNumber, nastyText } from './nasty.ts'

type Node = { readonly [key: string]: unknown; readonly type?: string }

export function schemaValue(schema: z.ZodType): fc.Arbitrary<unknown> {
  return valueFor(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Node)
}

function valueFor(node: Node): fc.Arbitrary<unknown> {
  if ('const' in node) return fc.constant(node['const'])
  if (Array.isArray(node['enum'])) return fc.constantFrom(...(node['enum'] as unknown[]))
  for (const key of ['anyOf', 'oneOf']) if (Array.isArray(node[key])) return fc.oneof(...(node[key] as Node[]).map(valueFor))
  switch (node.type) {
    case 'string':
      return textOf(node)
    case 'number':
    case 'integer':
      return fc.oneof(integerOf(node), nastyNumber)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valueFor((node['items'] ?? {}) as Node), { maxLength: 3 })
    case 'object':
      return objectOf(node)
    default:
      return nastyJson()
  }
}

const WORDS = ['a', 'claude', 'Stop', 'https://x.example/', '/tmp', 't0123456789', 'r0123456789', 'C-c', '10', 'split', '1/2']

const textOf = (node: Node): fc.Arbitrary<string> => {
  const longest = typeof node['maxLength'] === 'number' ? node['maxLength'] : 5_000
  return fc.oneof(fc.constantFrom(...WORDS), nastyText).map((text) => text.slice(0, longest))
}

function integerOf(node: Node): fc.Arbitrary<number> {
  const min = Number(node['minimum'] ?? node['exclusiveMinimum'] ?? -10)
  const max = Number(node['maximum'] ?? node['exclusiveMaximum'] ?? min + 1_000)
  return fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(Math.max(min, max), 2 ** 31 - 1) })
}

function objectOf(node: Node): fc.Arbitrary<unknown> {
  const properties = Object.entries((node['properties'] ?? {}) as Record<string, Node>)
  const required = new Set((node['required'] ?? []) as string[])
  const names = properties.map(([name]) => name)
  const fields = fc.record(Object.fromEntries(properties.map(([name, inner]) => [name, valueFor(inner)])), {
    requiredKeys: names.filter((name) => required.has(name)),
  })
  const rest = node['additionalProperties']
  if (typeof rest !== 'object' || rest === null) return fields
  return fc.tuple(fields, fc.dictionary(nastyText, valueFor(rest as Node), { maxKeys: 3 })).map(([own, more]) => ({ ...more, ...own }))
}
