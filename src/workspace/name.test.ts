import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asleep, terminalId, workspaceId } from '../../test/support/terminals.ts'
import { checkName, checkNameFree, isName } from './name.ts'
import { findTerminal, findWorkspace } from './terminal/find.ts'
import { safeText } from './text.ts'

describe('a name', () => {
  test.each(['api', 'a', 'my server (2)', 'Bücher 📚', 't', 'x'.repeat(64), '📚'.repeat(64)])('can be %s', (name) =>
    expect(isName(name)).toBe(true),
  )

  test.each([
    '',
    ' ',
    'a\nb',
    'a\x1b[31m',
    'a\u0085',
    'a\u202eb',
    'a\ud800',
    'x'.repeat(65),
    '📚'.repeat(65),
    terminalId(7),
    workspaceId(7),
  ])('cannot be %j', (name) => expect(checkName(name)).toMatchObject({ ok: false, refusal: { code: 'name-invalid' } }))

  test('loses the blanks around it', () => expect(checkName('  api ')).toEqual({ ok: true, value: 'api' }))

  test('belongs to one terminal, which may keep it', () => {
    const terminals = [asleep({ name: 'api' })]
    expect(checkNameFree('api', { terminals, self: null })).toMatchObject({ ok: false, refusal: { code: 'name-taken' } })
    expect(checkNameFree('api', { terminals, self: terminalId(1) })).toEqual({ ok: true, value: 'api' })
    expect(checkNameFree('web', { terminals, self: null })).toEqual({ ok: true, value: 'web' })
  })
})

describe('finding a terminal', () => {
  const first = { id: 't1a2', name: 'api' }
  const second = { id: 't1b2', name: null }
  const third = { id: 't2', name: 't1' }
  const all = [first, second, third]

  test.each([
    ['t1a2', first],
    ['api', first],
    ['t1b', second],
    ['t2', third],
    ['t1', third],
  ])('%s is found: the exact id first, then the exact name, then the beginning of an id', (ref, terminal) => {
    expect(findTerminal(ref, all)).toEqual({ ok: true, value: terminal })
  })

  test.each(['', 'ap', 'x', 'T2'])('%j is not there', (ref) => {
    expect(findTerminal(ref, all)).toMatchObject({ ok: false, refusal: { code: 'terminal-not-found' } })
  })

  test('a beginning of several ids is refused with the ones it fits', () => {
    const found = findTerminal('t', all)
    expect(found).toMatchObject({
      ok: false,
      refusal: { code: 'terminal-ambiguous', message: expect.stringContaining('t1a2 (api), t1b2, t2 (t1)') },
    })
  })

  test('a workspace is found the same way', () => {
    expect(findWorkspace('t1a', all)).toEqual({ ok: true, value: first })
    expect(findWorkspace('none', all)).toMatchObject({ ok: false, refusal: { code: 'workspace-not-found' } })
    expect(findWorkspace('t', all)).toMatchObject({ ok: false, refusal: { code: 'workspace-ambiguous' } })
  })

  test('every terminal is found by its id and by its name', () => {
    const arbitrary = fc.record({ id: fc.nat().map(terminalId), name: fc.option(fc.string().filter(isName)) })
    const terminals = fc
      .uniqueArray(arbitrary, { selector: ({ id }) => id })
      .filter((list) => new Set(list.flatMap(({ name }) => name ?? [])).size === list.filter(({ name }) => name !== null).length)
    fc.assert(
      fc.property(terminals, (list) => {
        for (const terminal of list) {
          expect(findTerminal(terminal.id, list)).toEqual({ ok: true, value: terminal })
          if (terminal.name !== null) expect(findTerminal(terminal.name, list)).toEqual({ ok: true, value: terminal })
        }
      }),
    )
  })
})

test('safe text is bounded, well formed, free of control characters, and stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (text, maxLength) => {
      const safe = safeText(text, maxLength)
      expect([...safe].length).toBeLessThanOrEqual(maxLength)
      expect(safe).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u)
      expect(safeText(safe, maxLength)).toBe(safe)
    }),
  )
})
