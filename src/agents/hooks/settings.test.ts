import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from './jsonText.ts'
import { hookCommand, installed, isEmptySettings, presence, removed, type Wanted } from './settings.ts'

const command = (event: string, program = '/opt/holdfast'): string => hookCommand({ agent: 'claude', event, program })
const wantedBy = (program: string): Wanted => ({
  SessionStart: { type: 'command', command: command('SessionStart', program), timeout: 5 },
  Stop: { type: 'command', command: command('Stop', program), timeout: 5 },
})
const wanted = wantedBy('/opt/holdfast')

function install(text: string | null, what = wanted): string {
  const edited = installed(text, what)
  if (!edited.ok) throw new Error(edited.why)
  return edited.text
}
function remove(text: string, before: string | null = null): string {
  const edited = removed(text, { before })
  if (!edited.ok) throw new Error(edited.why)
  return edited.text
}

const THEIRS = { type: 'command', command: 'say done' }

describe('our hooks in a settings file', () => {
  it('are all there is where there was no file, and leave nothing behind', () => {
    const text = install(null)
    expect(Object.keys(JSON.parse(text).hooks)).toEqual(['SessionStart', 'Stop'])
    expect(presence(text, wanted)).toBe('installed')
    expect(isEmptySettings(remove(text))).toBe(true)
  })

  it('stand behind what the user has, in the form that the file has', () => {
    const before = `{\n\t"model": "opus",\n\t"env": {"A": 1}, "hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [${JSON.stringify(THEIRS)}] }\n\t\t]\n\t}\n}\n`
    const text = install(before)
    expect(text.startsWith(before.slice(0, before.indexOf('say done')))).toBe(true)
    expect(text).toContain('\n\t\t\t{\n\t\t\t\t"hooks": [\n')
    expect(JSON.parse(text)).toEqual({
      model: 'opus',
      env: { A: 1 },
      hooks: { Stop: [{ hooks: [THEIRS] }, { hooks: [wanted['Stop']] }], SessionStart: [{ hooks: [wanted['SessionStart']] }] },
    })
    expect(remove(text)).toBe(before)
  })

  it.each([
    ['on one line', '{"a":[1,2],"b":{}}'],
    ['with nothing in it', '{}'],
    ['with other line ends', '{\r\n    "a": 1\r\n}\r\n'],
    ['with a mark of its byte order', '\ufeff{ "a": "\\"}{" }'],
    ['with hooks of others', JSON.stringify({ hooks: { Stop: [{ matcher: '*', hooks: [THEIRS] }] }, z: null }, null, 4)],
  ])('go without a trace from a file %s', (_, before) => {
    const text = install(before)
    expect(presence(text, wanted)).toBe('installed')
    expect(text.replace('\ufeff', '')).toSatisfy((json: string) => JSON.parse(json) !== null)
    expect(remove(text)).toBe(before)
  })

  it('go also from a file that was changed meanwhile, and only they', () => {
    const text = install('{\n  "a": 1\n}')
    const settings = JSON.parse(text)
    settings.hooks.Stop[0].hooks.unshift(THEIRS)
    settings.b = 2
    delete settings.a
    expect(JSON.parse(remove(JSON.stringify(settings)))).toEqual({ hooks: { Stop: [{ hooks: [THEIRS] }] }, b: 2 })
  })

  it('leave what was empty before as it was', () => {
    const before = '{ "hooks": { "Stop": [], "Other": {} } }'
    expect(JSON.parse(remove(install(before), before))).toEqual(JSON.parse(before))
    expect(JSON.parse(remove(install('{"hooks":{}}'), '{"hooks":{}}'))).toEqual({ hooks: {} })
  })

  it('are there once however often they are installed, and renewed where they are of another version', () => {
    const once = install('{"a": 1}')
    expect(install(once)).toBe(once)
    const older = install('{"a": 1}', wantedBy("/home/o'hara/bin/holdfast"))
    expect(presence(older, wanted)).toBe('changed')
    expect(JSON.parse(install(older))).toEqual(JSON.parse(once))
  })

  it('are seen to be changed when one of them is missing', () => {
    const settings = JSON.parse(install(null))
    delete settings.hooks.Stop
    expect(presence(JSON.stringify(settings), wanted)).toBe('changed')
    expect(presence('{"hooks":{"Stop":[]}}', wanted)).toBe('absent')
  })

  it.each([
    ['{\n  // mine\n  "a": 1\n}', 'has comments (line 2)'],
    ['{"a": 1 /* mine */}', 'has comments (line 1)'],
    ['{\n"a": 1,\n}', 'has something that is no JSON (line 3)'],
    ['{"a": 1', 'breaks off (line 1)'],
    ['{"a": "\n"}', 'has a text that is no JSON (line 2)'],
    ['[]', 'is not an object'],
    ['{"hooks": []}', 'has hooks of a shape that is not known here'],
    ['{"hooks": {"Stop": {}}}', 'has hooks of a shape that is not known here'],
    ['{"hooks": {}, "hooks": {}}', 'has "hooks" twice'],
    ['{"a": 1} x', 'goes on after its end (line 1)'],
    [`${'['.repeat(300)}`, 'is nested too deeply (line 1)'],
  ])('are not written into %j', (text, why) => {
    expect(installed(text, wanted)).toEqual({ ok: false, why })
  })

  it('come and go without a trace from whatever a settings file holds', () => {
    const groups = fc.array(fc.record({ matcher: fc.string(), hooks: fc.array(fc.jsonValue({ maxDepth: 1 })) }), { maxLength: 2 })
    const events = fc.dictionary(fc.constantFrom('Stop', 'SessionStart', 'Other'), groups)
    const anything = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
    const indent = fc.constantFrom('', ' ', '  ', '    ', '\t')
    fc.assert(
      fc.property(anything, fc.option(events), indent, (rest, hooks, space) => {
        const { hooks: _, ...others } = rest
        const value = hooks === null ? others : { ...others, hooks }
        const before = JSON.stringify(value, null, space)
        const text = install(before)
        expect(presence(text, wanted)).toBe('installed')
        const after = remove(text, before)
        expect(JSON.parse(after)).toEqual(JSON.parse(before))
        expect(after).toBe(before)
      }),
    )
  })
})

describe('a reader of JSON with places', () => {
  it('agrees with the usual one about what is JSON', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', '-0.5e3', 'true', 'null', ' ', '"\\u00e9"', '01', 'tru', '"')
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          expect(parseJson(text).ok).toBe(isJson(text))
        },
      ),
      { numRuns: 2_000 },
    )
    fc.assert(fc.property(fc.json(), (text) => parseJson(text).ok))
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
