/** config.toml, and the edits that the page and `config set` make in it. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { defaultConfig, describeConfig, exampleConfig, parseConfig } from '../../../src/wire/config/config.ts'
import { editConfig } from '../../../src/wire/config/configEdit.ts'
import { typedValue } from '../../../src/wire/config/configShown.ts'
import { nastyJson, nastyNumber, nastyText, wellFormed } from '../nasty.ts'
import { demand, fuzzTarget } from '../target.ts'

const KEYS = describeConfig().map(({ key }) => key)
const SECTIONS = [...new Set(KEYS.map((key) => key.split('.')[0] ?? ''))]
const quoted = (text: string): string => JSON.stringify(wellFormed(text))
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...KEYS) },
  fc.constantFrom(
    'agents.mine.resume',
    'agents.mine.id_pattern',
    'agents.mine.exit_hint',
    'agents.claude.carry',
    'page.keys.palette',
    'resume.x',
  ),
  nastyText.map(quoted),
)
const value = fc.oneof(
  nastyText.map(quoted),
  nastyNumber.map(String),
  fc.constantFrom(
    'true',
    'nan',
    'inf',
    '-inf',
    '0x10',
    '1979-05-27',
    '07:32:00',
    '[]',
    '{}',
    "'''",
    '"""a',
    '["--resume", "{id}"]',
    '"(a+)+$"',
  ),
  fc.constantFrom(...describeConfig().map((row) => row.default)),
  fc.array(nastyText.map(quoted), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
)
const line = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(key, value).map(([name, given]) => `${name} = ${given}`) },
  fc.constantFrom(...SECTIONS).map((name) => `[${name}]`),
  fc.constantFrom(
    '[[web]]',
    '[agents."a b"]',
    '[',
    '# note',
    '',
    '\t',
    'a.'.repeat(2_000),
    `x = ${'['.repeat(20_000)}`,
    `x = ${'{a='.repeat(5_000)}`,
  ),
  nastyText,
)
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')) },
  fc.tuple(fc.nat(20_000), nastyText).map(([at, piece]) => `${exampleConfig().slice(0, at)}${piece}${exampleConfig().slice(at)}`),
  fc.string({ unit: 'binary', maxLength: 200 }),
)
const change = fc.record({
  key: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...KEYS, 'page.keys.palette', 'resume.claude', 'agents.mine') }, nastyText),
  value: fc.oneof(nastyJson(), fc.constant(null), fc.constantFrom<unknown>(1, true, 'manual', '80x24', ['-c'])),
})

export const config = fuzzTarget({
  name: 'config',
  what: 'The reader of config.toml, and the edits of single options.',
  cases: 400,
  input: fc.record({ text, change, typed: nastyText }),
  open: () => ({
    judge: ({ text: given, change: wanted, typed }) => {
      const parsed = parseConfig(given)
      const lines = given.split('\n').length
      if (parsed.ok) describeConfig(parsed.config)
      else for (const { line: there } of parsed.problems) demand(there >= 1 && there <= lines, `line ${there} of ${lines}`)
      typedValue(wanted.key, typed)
      const edited = editConfig(given, wanted)
      if (!edited.ok) return
      const after = parseConfig(edited.text)
      demand(after.ok, 'an edit left a file that is refused')
      const again = editConfig(edited.text, wanted)
      demand(again.ok && isDeepStrictEqual(shown(again.text), shown(edited.text)), 'the same edit twice says something else')
      demand(Object.getPrototypeOf(defaultConfig.page.keys) === Object.prototype, 'the defaults were changed')
    },
  }),
})

function shown(toml: string): unknown {
  const parsed = parseConfig(toml)
  return parsed.ok ? describeConfig(parsed.config) : parsed.problems
}
