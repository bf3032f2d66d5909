import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { done, refusals, refused } from '../../base/refusal.ts'
import { EVERYTHING } from '../../wire/capability.ts'
import { type StillRequest, stillAnswer } from './stills.ts'

const LOOK = {
  cell: '7.8x18',
  baseline: '13.5',
  size: '13',
  contrast: '1',
  font: '"Mono", monospace',
  colours: Array.from({ length: 18 }, (_, index) => `0000${index.toString(16).padStart(2, '0')}`).join('-'),
}

const ask = async (
  query: Readonly<Record<string, string>>,
  answer = done('<svg/>') as ReturnType<typeof refused> | ReturnType<typeof done<string>>,
) => {
  const asked: StillRequest[] = []
  const request = { url: `/api/still?${new URLSearchParams(query)}` } as IncomingMessage
  const draw = (each: StillRequest) => {
    asked.push(each)
    return Promise.resolve(answer)
  }
  return { answer: await stillAnswer(request, draw, EVERYTHING), asked }
}

test('a picture is an image that may run and load nothing, drawn as the page says', async () => {
  const { answer, asked } = await ask({ terminal: 't1', run: 'r1', ...LOOK })
  expect(answer).toMatchObject({ status: 200, type: 'image/svg+xml; charset=utf-8', body: '<svg/>' })
  expect(answer.headers?.['Content-Security-Policy']).toContain("default-src 'none'")
  expect(asked).toMatchObject([{ terminal: 't1', run: 'r1', checkpoint: null, look: { cell: { width: 7.8, height: 18 }, fontSize: 13 } }])
  expect(asked[0]?.look.theme).toMatchObject({ foreground: [0, 0, 0], background: [0, 0, 1] })
  expect(asked[0]?.look.theme.ansi).toHaveLength(16)
})

test('where there is none, that is an answer and no fault', async () => {
  expect((await ask({ terminal: 't1', ...LOOK }, refused(refusals.terminalNotFound('t1')))).answer).toMatchObject({ status: 204, body: '' })
})

test.each([
  ['no terminal', LOOK],
  ['no look', { terminal: 't1' }],
  ['too few colours', { terminal: 't1', ...LOOK, colours: '000000' }],
  ['a colour that is none', { terminal: 't1', ...LOOK, colours: LOOK.colours.replace('000001', 'url(x)') }],
  ['cells of no size', { terminal: 't1', ...LOOK, cell: '0x18' }],
  ['huge letters', { terminal: 't1', ...LOOK, size: '1e9' }],
  ['a font that would end its attribute', { terminal: 't1', ...LOOK, font: 'x;}<script>' }],
  ['a contrast beyond any', { terminal: 't1', ...LOOK, contrast: 'NaN' }],
])('a query with %s is refused', async (_, query) => {
  const { answer, asked } = await ask(query)
  expect([answer.status, asked.length]).toEqual([400, 0])
})
