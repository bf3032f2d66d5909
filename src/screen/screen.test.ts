import { describe, expect, it } from 'vitest'
import { screenWith } from '../../test/support/screen/feed.ts'
import { utf8Encode } from '../base/utf8.ts'
import type { ScreenEvent } from './events.ts'
import { createScreen, engineOf, type Screen } from './screen.ts'

const feed = (screen: Screen, output: string) => screen.feed(utf8Encode(output))

function replies(screen: Screen): string[] {
  const heard: string[] = []
  screen.onReply((text) => heard.push(text))
  return heard
}

describe('replies', () => {
  it.each([
    ['primary attributes', '\x1b[c', '\x1b[?1;2c'],
    ['the older form of the same', '\x1bZ', '\x1b[?1;2c'],
    ['secondary attributes', '\x1b[>c', '\x1b[>0;276;0c'],
    ['tertiary attributes', '\x1b[=c', '\x1bP!|00000000\x1b\\'],
    ['status', '\x1b[5n', '\x1b[0n'],
    ['cursor position', 'abc\x1b[6n', '\x1b[1;4R'],
    ['a mode', '\x1b[?2004h\x1b[?2004$p', '\x1b[?2004;1$y'],
    ['grapheme mode', '\x1b[?2027$p', '\x1b[?2027;2$y'],
    ['name and version', '\x1b[>q', '\x1bP>|holdfast(1)\x1b\\'],
    ['keyboard flags', '\x1b[>5u\x1b[?u', '\x1b[?5u'],
    ['colour scheme', '\x1b[?996n', '\x1b[?997;1n'],
    ['a palette colour', '\x1b]4;1;rgb:12/34/56\x07\x1b]4;1;?\x07', '\x1b]4;1;rgb:1212/3434/5656\x1b\\'],
    ['the background', '\x1b]11;#000000\x07\x1b]11;?\x07', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
    ['the pen', '\x1b[1;31m\x1bP$qm\x1b\\', '\x1bP1$r0;1;31m\x1b\\'],
    ['the size', '\x1b[18t', '\x1b[8;24;80t'],
    ['a known capability', '\x1bP+q436f\x1b\\', '\x1bP1+r436f=323536\x1b\\'],
    ['an unknown capability', '\x1bP+q4d73\x1b\\', '\x1bP0+r\x1b\\'],
    ['the cursor position in its other form', 'abc\x1b[?6n', '\x1b[?1;4R'],
    ['a mode of the other kind', '\x1b[4$p', '\x1b[4;2$y'],
    ['the foreground', '\x1b]10;#102030\x07\x1b]10;?\x07', '\x1b]10;rgb:1010/2020/3030\x1b\\'],
    ['the cursor colour', '\x1b]12;#102030\x07\x1b]12;?\x07', '\x1b]12;rgb:1010/2020/3030\x1b\\'],
    ['primary attributes, asked in 8 bits', '\u009bc', '\x1b[?1;2c'],
    ['the older form of the same in 8 bits', '\u009a', '\x1b[?1;2c'],
    ['the cursor position, asked in 8 bits', 'abc\u009b6n', '\x1b[1;4R'],
    ['the background, asked in 8 bits', '\u009d11;#000000\u009c\u009d11;?\u009c', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
    ['that they understand the program status protocol', '\x1b]7501;?\x1b\\', '\x1b]7501;?\x1b\\'],
    ['the pen, asked in 8 bits', '\x1b[1;31m\u0090$qm\u009c', '\x1bP1$r0;1;31m\x1b\\'],
  ])('tell %s, once', async (_, output, reply) => {
    const screen = createScreen({ cols: 80, rows: 24 })
    const heard = replies(screen)
    await feed(screen, output)
    expect(heard).toEqual([reply])
  })

  it.each([
    ['the size in pixels', '\x1b[14t\x1b[16t'],
    ['titles', '\x1b]2;t\x07\x1b[20t\x1b[21t'],
    ['the clipboard', '\x1b]52;c;?\x07'],
    ['the answerback', '\x05'],
    ['images', '\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\'],
  ])('do not tell %s', async (_, output) => {
    const screen = createScreen({ cols: 80, rows: 24 })
    const heard = replies(screen)
    await feed(screen, output)
    expect(heard).toEqual([])
  })

  it.each([
    '\u009d2;evil\u009c\u009b21t',
    '\u0090$qevil\u009c',
    '\u0090+q6576696c\u009c',
    '\x1b]4;1;evil;1;?\x07',
    '\x1b]10;evil;?\x07',
    '\x1b]1337;ReportVariable=evil\x07',
    '\x1b]8;;http://evil\x07\x1b]633;E;evil\x07\x1b]7;file:///evil\x07\x1b[6n\x1bP$qm\x1b\\',
    '\x1b]2;evil\x07\x1b[21t',
    '\x1b]2;evil\x07\x1b[20t',
    '\x1bP$qevil\x1b\\',
    '\x1b]52;c;?\x07',
    '\x05',
    '\x1bP+q6576696c\x1b\\',
  ])('never contain what the program chose: %j', async (output) => {
    const screen = createScreen({ cols: 80, rows: 24 })
    const heard = replies(screen)
    await feed(screen, output)
    expect(heard.join('')).not.toMatch(/evil|6576696c/)
  })

  it('are not given for old bytes, nor while restoring', async () => {
    const screen = createScreen({ cols: 80, rows: 24 })
    const heard = replies(screen)
    screen.setAnswering(false)
    await feed(screen, 'a\x1b[c\x1b[6n\x1b]11;?\x07')
    await screen.restore(screen.snapshot())
    screen.setAnswering(true)
    expect(heard).toEqual([])
    await feed(screen, '\x1b[5n')
    expect(heard).toEqual(['\x1b[0n'])
  })

  it('come once after a restore too', async () => {
    const screen = await screenWith('abc')
    const heard = replies(screen)
    await screen.restore(screen.snapshot())
    await feed(screen, '\x1b[6n\x1b[?u')
    expect(heard).toEqual(['\x1b[1;4R', '\x1b[?0u'])
  })
})

describe('events', () => {
  async function eventsOf(output: string, answering = true): Promise<ScreenEvent[]> {
    const screen = createScreen({ cols: 80, rows: 24 })
    const heard: ScreenEvent[] = []
    screen.onEvent((event) => heard.push(event))
    screen.setAnswering(answering)
    await feed(screen, output)
    return heard
  }

  it.each<[string, ScreenEvent[]]>([
    ['\x1b]0;a title\x07', [{ kind: 'title', title: 'a title' }]],
    ['\x1b]2;turned \u202eround\x07', [{ kind: 'title', title: 'turned round' }]],
    ['\x1b]7;file://host/tmp/a%20b\x07', [{ kind: 'cwd', cwd: '/tmp/a b' }]],
    ['\x1b]7;file://host/tmp/%0a\x07', []],
    ['\x1b]7;relative\x07', []],
    ['\x07', [{ kind: 'bell' }]],
    ['\x1b]9;done\x07', [{ kind: 'notification', title: '', body: 'done' }]],
    ['\x1b]9;4;1;50\x07', []],
    ['\x1b]777;notify;Build;it; works\x07', [{ kind: 'notification', title: 'Build', body: 'it; works' }]],
    [
      '\x1b]133;A\x07\x1b]133;B\x07\x1b]133;C\x07\x1b]133;D;1\x07',
      [{ kind: 'prompt' }, { kind: 'commandInput' }, { kind: 'commandStarted' }, { kind: 'commandEnded', exitCode: 1 }],
    ],
    [
      '\x1b]633;A\x07\x1b]633;B\x07\x1b]633;E;make a\\x3bb \\\\n;nonce\x07\x1b]633;C\x07\x1b]633;D;2\x07',
      [
        { kind: 'prompt' },
        { kind: 'commandInput' },
        { kind: 'commandLine', text: 'make a;b \\n' },
        { kind: 'commandStarted' },
        { kind: 'commandEnded', exitCode: 2 },
      ],
    ],
    ['\x1b]633;P;Cwd=/tmp/a\\x3bb\x07', [{ kind: 'cwd', cwd: '/tmp/a;b' }]],
    ['\x1b]633;P;Cwd=relative\x07\x1b]633;P;IsWindows=False\x07', []],
    [
      '\x1b]8;;https://a.b/;c\x07x\x1b]8;;\x07\x1b]8;id=1;https://a.b/;c\x07y\x1b]8;;\x07\x1b]8;;mailto:a@b.c\x07z',
      [
        { kind: 'link', uri: 'https://a.b/;c' },
        { kind: 'link', uri: 'mailto:a@b.c' },
      ],
    ],
    ['\x1b]7501;state=working:app=codex\x1b\\', [{ kind: 'status', data: 'state=working:app=codex' }]],
    ['\x1b]7501;?\x1b\\\x1b]7501;state=done:id=task/1\x07\x1b]7501;nonsense\x07', []],
    [`\x1b]7501;state=idle:msg=${'A'.repeat(5_000)}\x07`, []],
    ['\x1b]133;A\x07', [{ kind: 'prompt' }]],
    [
      '\x1b]7501;state=done\x07\x1bc',
      [
        { kind: 'status', data: 'state=done' },
        { kind: 'status', data: '' },
      ],
    ],
    ['\x1b]8;;javascript:alert(1)\x07x\x1b]8;;http://a\u202eb\x07y', []],
  ])('tell what %j says', async (output, events) => {
    expect(await eventsOf(output)).toEqual(events)
  })

  it('tell that a program which ended without a word has nothing to say any more', async () => {
    expect(await eventsOf('\x1b]7501;state=working\x07killed\r\n\x1b]133;A\x07')).toEqual(
      expect.arrayContaining([
        { kind: 'status', data: 'state=working' },
        { kind: 'status', data: '' },
      ]),
    )
  })

  it('are not told again by a restored screen, which knows all the same how its program does', async () => {
    const screen = await screenWith('\x1b]7501;state=blocked:kind=permission\x07')
    const copy = createScreen({ cols: 80, rows: 24 })
    const heard: ScreenEvent[] = []
    copy.onEvent((event) => heard.push(event))
    await copy.restore(screen.snapshot())
    expect([copy.status, heard]).toEqual(['state=blocked:kind=permission', []])
  })

  it('do not ring again for old bytes', async () => {
    expect(await eventsOf('\x07\x1b]9;done\x07\x1b]2;t\x07', false)).toEqual([{ kind: 'title', title: 't' }])
  })
})

describe('reading', () => {
  it('joins soft wraps and trims blanks', async () => {
    const screen = await screenWith(`${'x'.repeat(100)}\r\n  indented  \r\n\r\nend\r\n`)
    expect(screen.text()).toBe(`${'x'.repeat(100)}\n  indented\n\nend`)
  })

  it('joins a line whose wide character did not fit', async () => {
    expect((await screenWith(`${'x'.repeat(79)}日本`)).text()).toBe(`${'x'.repeat(79)}日本`)
  })

  it('adds as much history as asked for', async () => {
    const screen = await screenWith(Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\r\n'))
    expect(screen.text().split('\n')[0]).toBe('line 6')
    expect(screen.text({ history: 2 }).split('\n')[0]).toBe('line 4')
    expect(screen.text({ history: 'all' }).split('\n')).toHaveLength(30)
  })

  it('shows the alternate screen while it is there', async () => {
    const screen = await screenWith('normal\x1b[?1049h\x1b[Halternate')
    expect(screen.text()).toBe('alternate')
    await feed(screen, '\x1b[?1049l')
    expect(screen.text()).toBe('normal')
  })

  it('gives styles in every format', async () => {
    const screen = await screenWith(
      'plain \x1b[1;31mred & <b>\x1b[0m \x1b]8;;https://a.b/?x="\x07link\x1b]8;;\x07\x1b]8;;javascript:x\x07bad\x1b]8;;\x07',
    )
    expect(screen.ansi()).toContain('\x1b[0;1;31mred & <b>\x1b[0m')
    expect(screen.html()).toContain('font-weight:bold">red &#38; &#60;b&#62;</span>')
    expect(screen.html()).toContain('<a href="https://a.b/?x=&#34;" rel="noreferrer">link</a>bad')
    expect(screen.json()).toMatchObject({ cols: 80, rows: 24, alternate: false, cursor: { x: 23, y: 0, visible: true }, historyLines: 0 })
    expect(screen.json().lines[0]?.spans[1]).toEqual({ text: 'red & <b>', style: { fg: 1, bold: true } })
  })
})

describe('a mark', () => {
  it('remembers what was visible and everything since, however much scrolls by', async () => {
    const screen = await screenWith(Array.from({ length: 30 }, (_, index) => `before ${index}`).join('\r\n'))
    const mark = screen.mark()
    await feed(screen, Array.from({ length: 100 }, (_, index) => `\r\nafter ${index}`).join(''))
    const text = screen.textSince(mark)
    expect(text.split('\n')[0]).toBe('before 6')
    expect(text).toContain('after 0\n')
    expect(text).toContain('after 99')
    mark.dispose()
    expect(screen.textSince(mark)).toBe('')
  })

  it('survives a full history, a cleared screen, a new width and a reset', async () => {
    const screen = createScreen({ cols: 80, rows: 4, scrollback: 10 })
    const mark = screen.mark()
    await feed(screen, Array.from({ length: 50 }, (_, index) => `\r\nline ${index}`).join(''))
    expect(screen.textSince(mark).split('\n')).toHaveLength(14)
    const later = screen.mark()
    await feed(screen, '\x1b[2J\x1b[Hcleared')
    expect(screen.textSince(later)).toBe('cleared')
    await screen.resize({ cols: 20, rows: 4 })
    await feed(screen, `\r\n${'w'.repeat(50)}`)
    expect(screen.textSince(later)).toBe(`cleared\n${'w'.repeat(50)}`)
    await feed(screen, '\x1bcfresh')
    expect(screen.textSince(later)).toBe('fresh')
  })

  it('sees the alternate screen, and not what lies beneath it', async () => {
    const screen = await screenWith('secret\x1b[?1049h\x1b[Halternate')
    const mark = screen.mark()
    expect(screen.textSince(mark)).toBe('alternate')
    await feed(screen, '\x1b[?1049l\r\nback')
    expect(screen.textSince(mark)).toContain('back')
  })
})

describe('order', () => {
  it('is kept between feeds and resizes that are not awaited', async () => {
    const screen = createScreen({ cols: 10, rows: 4 })
    const all = [
      feed(screen, 'x'.repeat(15)),
      screen.resize({ cols: 20, rows: 4 }),
      feed(screen, `\r\n${'y'.repeat(25)}`),
      screen.resize({ cols: 1, rows: 0 }),
    ]
    await Promise.all(all)
    expect(screen.size).toEqual({ cols: 2, rows: 1 })
    expect(screen.seq).toBe(42)
  })

  it('does not split characters of large feeds', async () => {
    const screen = createScreen({ cols: 200, rows: 4, scrollback: 5000 })
    const bytes = utf8Encode('…'.repeat(100_001))
    await screen.feed(bytes)
    expect(screen.text({ history: 'all' })).toBe('…'.repeat(100_001))
    expect(screen.seq).toBe(bytes.length)
  })
})

describe('a fault of the engine', () => {
  it('does not happen when a program erases upwards from the last corner', async () => {
    const screen = await screenWith('abc\x1b[24;79Hxx\x1b[24;80H\x1b[1Jy')
    expect(screen.text()).toBe(`${'\n'.repeat(23)}${' '.repeat(79)}y`)
  })

  it('costs the rest of one chunk, not the screen', async () => {
    const screen = await screenWith('before\r\n')
    const heard: ScreenEvent[] = []
    screen.onEvent((event) => heard.push(event))
    engineOf(screen).terminal.parser.registerOscHandler(5000, () => {
      throw new Error('engine failed')
    })
    await feed(screen, 'half\x1b]5000;\x07 lost')
    await feed(screen, ' after')
    expect(screen.text()).toBe('before\nhalf after')
    expect(heard).toEqual([{ kind: 'fault', message: 'engine failed' }])
    expect(screen.seq).toBe(31)
  })
})

it('tells clients how to encode input', async () => {
  const screen = await screenWith('\x1b[?1h\x1b[?2004h\x1b[?1003h\x1b[?1004h\x1b[>1u\x1b[?1049h')
  expect(screen.modes).toEqual({
    alternate: true,
    applicationCursorKeys: true,
    applicationKeypad: false,
    bracketedPaste: true,
    focusEvents: true,
    mouse: 'any',
    keyboardFlags: 0,
  })
})

it('does nothing more once disposed', async () => {
  const screen = await screenWith('abc')
  screen.dispose()
  await feed(screen, 'def')
  await screen.resize({ cols: 10, rows: 10 })
  expect(screen.seq).toBe(3)
})
