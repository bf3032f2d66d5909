import { expect, it } from 'vitest'
import { PagerKeys } from './pagerKeys.ts'

const names = (...pieces: string[]): string[] => {
  const keys = new PagerKeys()
  const heard = pieces.flatMap((piece) => keys.feed(Buffer.from(piece)))
  return [...heard, ...keys.release()].map((key) =>
    key.kind === 'character' ? key.character : key.kind === 'control' ? `^${key.letter}` : key.kind,
  )
}

it('knows the keys of every usual terminal', () => {
  expect(names('\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[H\x1bOF\x1b[1~\x1b[4~')).toEqual([
    'up',
    'down',
    'pageUp',
    'pageDown',
    'home',
    'end',
    'home',
    'end',
  ])
  expect(names('jk/é漢\r\x7f\x02\x06\x03')).toEqual(['j', 'k', '/', 'é', '漢', 'enter', 'backspace', '^b', '^f', '^c'])
})

it('tells Escape from the beginning of a key, also when the line cuts it in two', () => {
  expect(names('\x1b')).toEqual(['escape'])
  expect(names('\x1b', '[A')).toEqual(['up'])
  expect(names('\x1b[', '5', '~q')).toEqual(['pageUp', 'q'])
  expect(names('\x1b\x1b')).toEqual(['escape'])
})

it('hears nothing in reports, pastes and keys that mean nothing here', () => {
  expect(names('\x1b[200~x\x1b[201~')).toEqual(['x'])
  expect(names('\x1b[<64;10;10M\x1b[I\x1b]11;rgb:0/0/0\x1b\\\x1bx\x1b[15~')).toEqual([])
})

it('puts a character together that arrives in two pieces', () => {
  const keys = new PagerKeys()
  const [a, b] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)]
  expect([...keys.feed(a), ...keys.feed(b)]).toEqual([{ kind: 'character', character: 'é' }])
})
