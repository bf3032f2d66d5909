import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exampleConfig, parseConfig } from './config.ts'
import { editConfig } from './configEdit.ts'
import { ROWS } from './configRows.ts'
import { readValue } from './toml.ts'

function set(text: string, key: string, value: unknown): string {
  const edited = editConfig(text, { key, value })
  if (!edited.ok) throw new Error(edited.why)
  return edited.text
}

const whyNot = (text: string, key: string, value: unknown): string | null => {
  const edited = editConfig(text, { key, value })
  return edited.ok ? null : edited.why
}

describe('an option', () => {
  test('that stands in the file is replaced where it stands, and its comments stay', () => {
    const text = '# mine\nsettle_ms = 300   # not so long\n\n[web] # the page\nport = 0\n'
    expect(set(text, 'settle_ms', 500)).toBe(text.replace('300', '500'))
    expect(set(text, 'web.port', 99)).toBe(text.replace('port = 0', 'port = 99'))
  })

  test('that does not is put below the last one of its section', () => {
    expect(set('settle_ms = 1\n\n[web]\nport = 0\n\n[page]\ntheme = "dark"\n', 'web.enabled', false)).toBe(
      'settle_ms = 1\n\n[web]\nport = 0\nenabled = false\n\n[page]\ntheme = "dark"\n',
    )
    expect(set('settle_ms = 1\n\n[web]\nport = 0\n', 'shell', '/bin/fish')).toBe('settle_ms = 1\nshell = "/bin/fish"\n\n[web]\nport = 0\n')
    expect(set('[web]\nport = 0', 'web.enabled', true)).toBe('[web]\nport = 0\nenabled = true\n')
    expect(set('[web]\nport = 0\n', 'shell', '/bin/fish')).toBe('shell = "/bin/fish"\n[web]\nport = 0\n')
  })

  test('of a section that is not there brings its header', () => {
    expect(set('', 'page.theme', 'dark')).toBe('[page]\ntheme = "dark"\n')
    expect(set('settle_ms = 1', 'page.theme', 'dark')).toBe('settle_ms = 1\n\n[page]\ntheme = "dark"\n')
    expect(set('[page.keys]\nfind = ""\n', 'page.theme', 'dark')).toBe('[page.keys]\nfind = ""\n\n[page]\ntheme = "dark"\n')
  })

  test('stands beside others that are written with dots or in braces', () => {
    expect(set('web.port = 0\nsettle_ms = 1\n', 'web.enabled', false)).toBe('web.port = 0\nweb.enabled = false\nsettle_ms = 1\n')
    expect(set('web = { port = 0 }\n', 'web.enabled', false)).toBe('web = { port = 0, enabled = false }\n')
    expect(set('web = { port = 0, enabled = false } # both\n', 'web.enabled', null)).toBe('web = { port = 0 } # both\n')
  })

  test('goes below the line that has it behind a #, as in the example', () => {
    const edited = set(exampleConfig(), 'page.font_size', 20)
    expect(edited).toContain('\n#font_size = 13\nfont_size = 20\n')
    expect(edited.replace('font_size = 20\n', '')).toBe(exampleConfig())
    expect(set(edited, 'page.font_size', null)).toBe(exampleConfig())
  })

  test('that spans several lines is replaced and taken out as one', () => {
    const text = '[env]\nallow = [\n  "A", # first\n  "B",\n]\n# end\n'
    expect(set(text, 'env.allow', ['C_*'])).toBe('[env]\nallow = ["C_*"]\n# end\n')
    expect(set(text, 'env.allow', null)).toBe('[env]\n# end\n')
  })

  test('keeps the line ends and the byte order mark of the file', () => {
    expect(set('\ufeffsettle_ms = 1\r\n', 'web.port', 5)).toBe('\ufeffsettle_ms = 1\r\n\r\n[web]\r\nport = 5\r\n')
  })

  test('that is not there is taken out without a change', () => {
    expect(set('# nothing\n', 'web.port', null)).toBe('# nothing\n')
  })
})

describe('an entry of a section with free keys', () => {
  test('is set, replaced and taken out by itself', () => {
    const one = set('', 'page.keys.palette', 'Ctrl+P')
    expect(one).toBe('[page.keys]\npalette = "Ctrl+P"\n')
    const two = set(one, 'page.keys.terminal.new', 'Alt+N')
    expect(two).toBe('[page.keys]\npalette = "Ctrl+P"\n"terminal.new" = "Alt+N"\n')
    expect(set(two, 'page.keys.palette', null)).toBe('[page.keys]\n"terminal.new" = "Alt+N"\n')
  })

  test('may be a section itself', () => {
    const text = '[agents.mine]\nrecognise = ["mine"]\n\n[web]\nport = 0\n'
    expect(set(text, 'agents.mine', null)).toBe('\n[web]\nport = 0\n')
    expect(set('', 'agents.mine', { recognise: ['mine'] })).toBe('[agents]\nmine = { recognise = ["mine"] }\n')
  })

  test('comes with the whole section, which is replaced', () => {
    expect(set('[page.keys]\n# mine\nfind = "Ctrl+F"\n', 'page.keys', { palette: 'Ctrl+P' })).toBe(
      '[page.keys]\npalette = "Ctrl+P"\n# mine\n',
    )
    expect(set('[page.keys]\nfind = "Ctrl+F"\n', 'page.keys', {})).toBe('[page.keys]\n')
  })
})

describe('a change is refused, with a sentence,', () => {
  test.each([
    ['web.prot', 1, 'There is no option web.prot; the nearest is web.port.'],
    ['web.port', 'many', 'web.port must be a whole number from 0 to 65535.'],
    ['page.quiet_hours', 'late', 'page.quiet_hours must be a text in quotes: two different times of day as in "22:00-07:00", or empty.'],
    ['page.keys.palette', 7, 'page.keys.palette is not valid (a number): an action and its keys'],
    ['page.keys', { palette: 7 }, 'page.keys.palette is not valid'],
    ['web', {}, 'There is no option web'],
  ])('of %s to %s', (key, value, why) => {
    expect(whyNot('', key, value)).toContain(why)
  })

  test('where the file is wrong elsewhere, but not where this puts it right', () => {
    expect(whyNot('siez = "1x1"\n', 'web.port', 1)).toMatch(/^config\.toml, line 1: there is no option siez/)
    expect(whyNot('a = [\n', 'web.port', 1)).toMatch(/^config\.toml, line \d: not TOML/)
    expect(set('[web]\nport = "x"\n', 'web.port', 1)).toBe('[web]\nport = 1\n')
  })

  test('where a key stands twice over', () => {
    expect(whyNot('web = 1\n', 'web.port', 1)).toMatch(/cannot change/)
  })
})

const scalars = ROWS.filter(({ option }) => option.lines === undefined)

test('whatever is set in whatever order, the file says it and nothing else, and taking it all out leaves what was there', () => {
  const starts = ['', '# mine\n', exampleConfig(), 'web.port = 1 # x\n', '[page]\n\n# end', 'settle_ms = 4\n[page.keys]\nfind = "F3"\n']
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.array(fc.constantFrom(...scalars), { maxLength: 12 }), (start, rows) => {
      const full = rows.reduce((text, { key, option }) => set(text, key, readValue(option.encode(option.default))), start)
      expect(parseConfig(full).ok).toBe(true)
      for (const line of start.split('\n').filter((one) => one.startsWith('#'))) expect(full).toContain(line)
      const empty = rows.reduce((text, { key }) => set(text, key, null), full)
      const parsed = parseConfig(empty)
      if (!parsed.ok) throw new Error('it is not read any more')
      for (const { names, option } of rows)
        expect(names.reduce<unknown>((table, name) => (table as Record<string, unknown>)[name], parsed.config)).toEqual(option.default)
    }),
    { numRuns: 60 },
  )
})
