/**
 * Plain data as text in which keys stand in their order, so that equal values give equal text however they were put
 * together. Keys without a value are left out, as JSON does.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const fields = value as Readonly<Record<string, unknown>>
  const parts: string[] = []
  for (const key of Object.keys(fields).sort()) {
    if (fields[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(fields[key])}`)
  }
  return `{${parts.join()}}`
}
