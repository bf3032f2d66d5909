import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStatusOf, LONGEST_STATUS, parseProgramStatus, statusReport } from './programStatus.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('what a program says about itself', () => {
  it.each([
    ['state=idle:app=codex', { state: 'idle', app: 'codex' }],
    ['state=working:app=claude-code', { state: 'working', app: 'claude-code' }],
    ['state=done', { state: 'done', app: null }],
    ['state=error:msg=T3V0IG9mIGNyZWRpdA==', { state: 'done', words: 'Out of credit' }],
    ['state=clear', { state: 'unknown' }],
    [
      `state=blocked:app=claude-code:kind=permission:msg=${base64('Run “rm -rf /”?')}`,
      { state: 'needs-you', wants: 'permission', words: 'Run “rm -rf /”?' },
    ],
    ['state=blocked:kind=question', { state: 'needs-you', wants: 'question', words: null }],
    ['state=blocked:kind=auth', { state: 'needs-you', wants: null }],
    ['state=idle:kind=permission', { state: 'idle', wants: null }],
    ['state=daydreaming', { state: 'unknown' }],
    ['state=__proto__', { state: 'unknown' }],
    ['state=idle:state=working', { state: 'working' }],
    ['nonsense::=:Ab=1:state=working:progress=40', { state: 'working' }],
  ])('is read from %s', (data, expected) => {
    expect(parseProgramStatus(data)).toMatchObject(expected)
  })

  it.each(['', '?', 'working', 'app=codex', 'state', `state=working:msg=${'A'.repeat(LONGEST_STATUS)}`])('is nothing in %j', (data) => {
    expect(parseProgramStatus(data)).toBeNull()
  })

  it('is not what it says about one of its tasks', () => {
    expect(parseProgramStatus('state=blocked:id=task/3')).toBeNull()
  })

  it('reaches nobody with control characters, turned directions or many lines', () => {
    const hostile = 'Run\x1b[31m\r\nit\x07?\u202egnp.exe\u2028\u0085 now'
    expect(parseProgramStatus(`state=blocked:msg=${base64(hostile)}`)?.words).toBe('Run [31m it ?gnp.exe now')
  })

  it('keeps its state when its words cannot be read or are too long', () => {
    expect(parseProgramStatus('state=blocked:msg=A')).toMatchObject({ state: 'needs-you', words: null })
    const words = parseProgramStatus(`state=blocked:msg=${base64('é'.repeat(900))}`)?.words ?? ''
    expect([...words]).toHaveLength(300)
    expect(words.endsWith('é…')).toBe(true)
    expect(parseProgramStatus(`state=blocked:msg=${base64('x'.repeat(2_100))}`)).toMatchObject({ state: 'needs-you', words: null })
  })

  it('is read without failing, whatever it is', () => {
    const pieces = fc.constantFrom('state=', 'working', 'blocked', ':', 'msg=', 'kind=permission', '=', '\u001b', 'QUJD', 'id=')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 }))).map((all) => all.join('')),
        ),
        (data) => {
          const words = parseProgramStatus(data)?.words ?? ''
          expect(words).not.toMatch(/\p{Cc}/u)
          expect([...words].length).toBeLessThanOrEqual(300)
        },
      ),
    )
  })

  it('is believed of the agent that it names, or of any where it names none', () => {
    expect(isStatusOf('claude', { app: 'claude-code' })).toBe(true)
    expect(isStatusOf('codex', { app: 'codex' })).toBe(true)
    expect(isStatusOf('codex', { app: null })).toBe(true)
    expect(isStatusOf('codex', { app: 'claude-code' })).toBe(false)
    expect(isStatusOf('pi', { app: 'pixi' })).toBe(false)
  })

  it('is a report of the best source', () => {
    const status = parseProgramStatus('state=working:app=codex')
    expect(status && statusReport(status, 7)).toEqual({ source: 'protocol', state: 'working', wants: null, words: null, at: 7 })
  })
})
