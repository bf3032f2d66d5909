import { describe, expect, it } from 'vitest'
import { PatternTooSlow, TimedPattern } from './timedPattern.ts'

describe('a pattern that a client has written', () => {
  it('finds what it matches first, line by line', () => {
    const pattern = new TimedPattern('^(\\w+) done$')
    expect(pattern.find('nothing yet\nbuild done\ntest done')).toBe('build done')
    expect(pattern.find('nothing yet')).toBeNull()
  })

  it.each(['(a+)+$', '^(a|a)*b', '(?:a*)*c', '(a+)+\\1c'])('is given up where it would never end: %s', (pattern) => {
    const text = `${'a'.repeat(200)}!`
    expect(() => new TimedPattern(pattern).find(text)).toThrow(PatternTooSlow)
    expect(new TimedPattern('a!').find(text)).toBe('a!')
  })

  it('may use the processor for two seconds at first, however many looks that takes', () => {
    let busyMs = 0
    const pattern = new TimedPattern('a', () => (busyMs += 900)) // each look takes that long
    expect(pattern.find('a')).toBe('a')
    expect(pattern.find('a')).toBe('a')
    expect(() => pattern.find('a')).toThrow(PatternTooSlow)
  })

  it('is not given up for the time in which its thread waits for a processor', () => {
    const pattern = new TimedPattern('a', () => 0)
    for (let look = 0; look < 5; look++) expect(pattern.find('a')).toBe('a')
  })
})
