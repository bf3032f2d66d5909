import { expect, test } from 'vitest'
import { isWebAddress } from './webAddress.ts'

test('only an https address of a plain host can become a link', () => {
  for (const address of ['https://github.com/a/b/pull/7', 'https://git.example.org:8443/x?y=1#z', 'https://localhost'])
    expect(isWebAddress(address), address).toBe(true)
  for (const address of [
    'javascript:alert(1)',
    'http://github.com/a',
    'https://user:pass@github.com/a',
    'https://github.com@evil.example/a',
    'https://github.com\\@evil.example',
    'https://github.com/a b',
    'https://github.com/\x1b]52;',
    'https://',
    ' https://github.com',
    'https://githüb.com',
    `https://github.com/${'a'.repeat(3_000)}`,
  ])
    expect(isWebAddress(address), address).toBe(false)
})
