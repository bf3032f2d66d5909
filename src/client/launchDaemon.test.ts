import { describe, expect, it } from 'vitest'
import { startRefusal } from './launchDaemon.ts'

describe('why a daemon did not start', () => {
  it('is its refusal, if it said one', () => {
    const refusal = { code: 'home-unusable', message: 'No.', hint: 'Do.' }
    expect(startRefusal(`(node:1) a warning\n${JSON.stringify({ refusal })}\n`)).toEqual(refusal)
  })

  it('is the error in whatever Node printed', () => {
    const printed = "node:internal/modules\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n    at load\n\nNode.js v20\n"
    expect(startRefusal(printed)).toMatchObject({ code: 'daemon-unreachable', message: expect.stringContaining("Cannot find package 'x'") })
  })

  it('is said even when nothing was printed, or something like a refusal', () => {
    expect(startRefusal('').message).toContain('ended while starting')
    expect(startRefusal('{"refusal":{}}').code).toBe('daemon-unreachable')
    expect(startRefusal('{oops').message).toContain('{oops')
  })
})
