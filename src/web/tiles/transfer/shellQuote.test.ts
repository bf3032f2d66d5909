import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellQuote } from './uploads.ts'

it('a shell reads every path as the one word it is', () => {
  const paths = ['/a/b-c_d.png', "/it's here/$HOME `x` \\", '/a b/"c"', '/ü/*?[x]', '', '/a;b&&c|d>e', "''"]
  for (const path of paths) expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(path)}`]).toString()).toBe(path)
})

it('a plain path is left as it is', () => {
  expect(shellQuote('/tmp/a-b_c/d.txt')).toBe('/tmp/a-b_c/d.txt')
})
