import { beforeEach, expect, it } from 'vitest'
import { LARGEST_FILE, type Sent, type UploadState, Uploads, uploadWords } from './uploads.ts'

let sent: string[]
let states: (UploadState | null)[]
let typed: string[]
let answer: (name: string) => Sent
let uploads: Uploads

const file = (name: string, size = 10): File => Object.defineProperty(new File([], name), 'size', { value: size })

beforeEach(() => {
  ;[sent, states, typed] = [[], [], []]
  answer = (name) => ({ ok: true, path: `/kept/${name}` })
  uploads = new Uploads({
    send: ({ name, size }, onProgress) => {
      sent.push(name)
      onProgress(size / 2)
      return Promise.resolve(answer(name))
    },
    onPaths: (text) => typed.push(text),
    onState: (state) => states.push(state),
  })
})

it('several files are sent one after the other, and their paths typed as words of a shell', async () => {
  await uploads.take([file('a.png'), file("it's b.png")])
  expect(sent).toEqual(['a.png', "it's b.png"])
  expect(typed).toEqual([`/kept/a.png '/kept/it'\\''s b.png' `])
  expect(states.map((state) => state && uploadWords(state))).toEqual([
    'Sending a.png (2 files): 0%',
    'Sending a.png (2 files): 25%',
    "Sending it's b.png (2 files): 50%",
    "Sending it's b.png (2 files): 75%",
    null,
  ])
})

it('a file that is too large is refused before anything is sent', async () => {
  await uploads.take([file('small'), file('large', LARGEST_FILE + 1)])
  expect([sent, typed]).toEqual([[], []])
  expect(states).toEqual([{ kind: 'refused', text: 'cannot send large: it has 51 MB, and the limit is 50 MB.' }])
})

it('what the daemon refuses is said, and nothing is typed', async () => {
  answer = () => ({ ok: false, why: 'There is no room.' })
  await uploads.take([file('a'), file('b')])
  expect([sent, typed]).toEqual([['a'], []])
  expect(states.at(-1)).toEqual({ kind: 'refused', text: 'cannot send a: There is no room.' })
  uploads.dismiss()
  expect(states.at(-1)).toBeNull()
})

it('a second drop waits for nobody and is refused, while the first goes on', async () => {
  const first = uploads.take([file('a')])
  await uploads.take([file('b')])
  await first
  expect([sent, typed]).toEqual([['a'], ['/kept/a ']])
})
