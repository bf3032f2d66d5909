/** The agents of config.toml: the known ones, with the user's over them; only the user's are written back. */
import type { Agent } from '../agents/agent.ts'
import { isUserAgent, parseUserAgents } from '../agents/userAgents.ts'
import type { Option } from './configKinds.ts'
import { keyBytes } from './keys.ts'
import { keyText, listText, quoted } from './tomlText.ts'

type Described = Pick<Option<readonly Agent[]>, 'default' | 'bounds' | 'sentence'>

export function agents(described: Described): Option<readonly Agent[]> {
  return {
    ...described,
    type: 'sections, one for each agent',
    decode: (raw) => {
      const parsed = parseUserAgents(raw, { agents: described.default, isKey: (name) => keyBytes(name).ok })
      if (parsed.ok) return { ok: true, value: parsed.agents }
      return { ok: false, faults: parsed.problems.map(({ path, why }) => ({ key: path, why })) }
    },
    lines,
    encode: (value) => `{ ${lines(value).join(', ')} }`,
  }
}

const lines = (value: readonly Agent[]): readonly string[] =>
  value.filter(isUserAgent).map(({ id, written }) => {
    const fields = Object.entries(written).map(
      ([name, field]) => `${name} = ${typeof field === 'string' ? quoted(field) : listText(field)}`,
    )
    return `${keyText(id)} = { ${fields.join(', ')} }`
  })
