import { describe, expect, it } from 'vitest'
import { isQuick } from './userAgentFields.ts'

describe('a pattern for ids', () => {
  it.each([
    '[0-9a-f]{8}',
    '[a-z]+-\\d+',
    '[^]+',
    '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}',
    'ses_[A-Za-z0-9]{10,40}',
    '(?:run|task)-\\d+(?:-\\d+)?',
    '\\(\\d+\\)\\+',
  ])('is quick: %s', (pattern) => expect(isQuick(pattern)).toBe(true))

  it.each([
    '(a+)+',
    '(?:\\w*)*x',
    '(a|a)*',
    '(?:a|b){40}',
    '\\w*\\w*\\w*\\w*!',
    '((a?)b)+',
    '(a)\\1',
    '(?:x(?:a+)){3}',
    '(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)',
  ])('may never end: %s', (pattern) => expect(isQuick(pattern)).toBe(false))

  it('that is called quick is matched at once, also where it fits nearly', () => {
    const worst = new RegExp(`^(?:${'\\w*\\w*\\w*!'})$`)
    expect(isQuick('\\w*\\w*\\w*!')).toBe(true)
    expect(worst.test('a'.repeat(128))).toBe(false)
  })
})
