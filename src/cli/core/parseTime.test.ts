import { expect, test } from 'vitest'
import { parseSpan, parseTime } from './parseTime.ts'

const NOW = new Date(2026, 2, 15, 18, 30).getTime()
const local = (...parts: [number, number, number, number?, number?, number?]): number =>
  new Date(parts[0], parts[1] - 1, ...([...parts.slice(2)] as [number])).getTime()

test.each([
  ['90s', NOW - 90_000],
  ['20m', NOW - 20 * 60_000],
  ['2h', NOW - 2 * 3_600_000],
  ['3d', NOW - 3 * 86_400_000],
  ['1W', NOW - 7 * 86_400_000],
  ['today', local(2026, 3, 15)],
  ['Yesterday', local(2026, 3, 14)],
  ['2026-01-31', local(2026, 1, 31)],
  ['2026-01-31T18:30', local(2026, 1, 31, 18, 30)],
  ['2026-01-31 18:30:15', local(2026, 1, 31, 18, 30, 15)],
  ['2026-01-31T18:30:15Z', Date.UTC(2026, 0, 31, 18, 30, 15)],
  ['2026-01-31T18:30+0200', Date.UTC(2026, 0, 31, 16, 30)],
])('%s is a time', (text, at) => expect(parseTime(text, NOW)).toEqual({ ok: true, value: at }))

test.each(['', 'soon', '2', '2y', '-2h', '2026-02-31', '2026-13-01', '2026-01-31T25:00', '2026-1-1', '1e3s'])('%j is none', (text) =>
  expect(parseTime(text, NOW)).toMatchObject({ ok: false, refusal: { code: 'time-invalid' } }),
)

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2H', 7_200_000],
  ['1d', 86_400_000],
])('a span is a number and a unit: %s', (text, ms) => expect(parseSpan(text)).toEqual({ ok: true, value: ms }))

test.each(['', '2', 'h', '-1h', '1.5h', 'today', '2 h'])('anything else is no span: "%s"', (text) =>
  expect(parseSpan(text)).toMatchObject({ ok: false, refusal: { code: 'span-invalid' } }),
)
