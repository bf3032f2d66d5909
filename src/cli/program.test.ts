import { describe, expect, it } from 'vitest'
import { type Parsed, parse } from './program.ts'
import { verb as root } from './verbs/root.ts'
import { loadAllVerbs, VERBS, verbsFor } from './verbs.ts'

async function typed(line: readonly string[]): Promise<{ parsed: Parsed; printed: string }> {
  let printed = ''
  const print = (text: string): void => {
    printed += text
  }
  const parsed = parse({ root, verbs: await verbsFor(line), version: '1.2.3' }, line, { print, columns: 100 })
  return { parsed, printed }
}

const inputOf = async (line: readonly string[]) => {
  const { parsed } = await typed(line)
  if (parsed.kind !== 'verb') throw new Error(`not a verb: ${JSON.stringify(parsed)}`)
  return parsed
}

describe('the command line', () => {
  it('gives everything behind -- to the program, and everything behind its name', async () => {
    const { input } = await inputOf(['new', '--name', 'n', '--env', 'A=1', '--env', 'B=2', '--', 'prog', '--name', '-x', '--', 'y'])
    expect(input.operands).toEqual(['prog', '--name', '-x', '--', 'y'])
    expect([input.text('name'), input.list('env'), input.flag('attach')]).toEqual(['n', ['A=1', 'B=2'], false])
    expect((await inputOf(['new', 'htop', '-d', '5', '--json'])).input.operands).toEqual(['htop', '-d', '5', '--json'])
  })

  it('takes a lone minus for a text, and options in any place', async () => {
    const { input } = await inputOf(['send', 'api', '-', '--enter', '--keys', 'C-c,Up'])
    expect(input.operands).toEqual(['api', '-'])
    expect([input.flag('enter'), input.text('keys')]).toEqual([true, 'C-c,Up'])
    expect((await inputOf(['send', 'api', '--', '-x'])).input.operands).toEqual(['api', '-x'])
  })

  it('opens the workspace without a verb, unless told not to', async () => {
    expect((await inputOf([])).verb).toBe(root)
    expect((await inputOf([])).input.flag('open')).toBe(true)
    expect((await inputOf(['--no-open'])).input.flag('open')).toBe(false)
  })

  it('suggests what was meant', async () => {
    expect((await typed(['attahc'])).parsed).toMatchObject({ kind: 'usage', message: expect.stringContaining('Did you mean attach?') })
    expect((await typed(['ls', '--jsno'])).parsed).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('Did you mean --json?'),
    })
    expect((await typed(['config', 'shwo'])).parsed).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('Did you mean show?'),
    })
    expect((await typed(['daemon', 'statsu'])).parsed).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('Did you mean status?'),
    })
  })

  it('says what a group can do when it is not told what to', async () => {
    expect((await typed(['daemon'])).parsed).toMatchObject({
      message: expect.stringMatching(/^a command is missing: holdfast daemon start\|/),
    })
    expect((await typed(['agent', 'hooks'])).parsed).toMatchObject({
      message: 'a command is missing: holdfast agent hooks install|status|remove',
    })
    expect((await typed(['agent'])).parsed).toMatchObject({ message: 'a command is missing: holdfast agent ls|log|hooks' })
  })

  it.each([
    [['attach']],
    [['attach', 'a', 'b']],
    [['read', 'a', '--format', 'pdf']],
    [['daemon']],
    [['rename', 'a']],
    [['wait', 'a', '--text']],
  ])('is refused for %j', async (line) => expect((await typed(line)).parsed.kind).toBe('usage'))

  it('prints the version', async () => expect((await typed(['--version'])).printed).toBe('1.2.3\n'))

  it('loads only the verb that was typed', async () => {
    expect((await verbsFor(['ls', '--json'])).map(({ name }) => name)).toEqual(['ls'])
    expect((await verbsFor(['--help'])).map(({ name }) => name)).toEqual(Object.keys(VERBS))
  })

  it('explains every verb with an example', async () => {
    for (const verb of await loadAllVerbs()) {
      for (const path of [[verb.name], ...(verb.verbs ?? []).map(({ name }) => [verb.name, name])]) {
        const { parsed, printed } = await typed([...path, '--help'])
        expect(parsed.kind).toBe('shown')
        expect(printed).toContain(`Usage: holdfast ${path.join(' ')}`)
        expect(printed).toMatch(/Example:\n {2}\$ .+/)
      }
    }
  })
})
