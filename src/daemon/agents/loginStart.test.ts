import { accessSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { type Pty, startProgram } from '../../holder/pty.ts'
import type { ExitStatus } from '../../wire/holder.ts'
import { type LoginOrder, loginStart } from '../../workspace/command/loginShell.ts'

/** The user's own shells, in a real terminal, with start files that print, move and set variables. */
const HOME = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-login-')))
afterAll(() => rmSync(HOME, { recursive: true, force: true }))

const PLACE = join(HOME, "a place's name")
const BIN = join(HOME, 'bin')
for (const folder of [PLACE, BIN, join(HOME, '.config/fish')]) mkdirSync(folder, { recursive: true })

const posix = `export PATH="${BIN}:$PATH" CONFIG_DIR=wrong; echo noise; set -- changed; cd /\n`
for (const name of ['.profile', '.zprofile']) writeFileSync(join(HOME, name), posix)
writeFileSync(join(HOME, '.config/fish/config.fish'), `set -gx PATH ${BIN} $PATH; set -gx CONFIG_DIR wrong; echo noise; cd /\n`)
writeFileSync(join(HOME, '.login'), `setenv PATH ${BIN}:$PATH; setenv CONFIG_DIR wrong; echo noise; cd /\n`)

function program(name: string, text: string): void {
  writeFileSync(join(BIN, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
}
program('says', `printf '<%s>' "$PWD" "$CONFIG_DIR" "\${HOLDFAST_START-unset}" "$@"; ps -o tpgid= -p $$ | tr -d ' \\n'; echo " is $$"`)
program('waits', 'echo ready; read line; echo "heard $line"')
program('fails', 'echo no such conversation; exit 3')
program('stops', 'kill -STOP $$; echo went on; read line; echo "heard $line"')
program('dies', "printf '\\033[?1049h\\033[?1000h'; kill -KILL $$")
program('left', 'echo "left in $PWD, $(ps -o tpgid= -p $$ | tr -d " ") is $$"; read line')

const isInstalled = (path: string): boolean => {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}
const SHELLS = [
  '/bin/sh',
  '/bin/bash',
  '/usr/bin/zsh',
  '/bin/zsh',
  '/usr/bin/fish',
  '/bin/dash',
  '/usr/bin/ksh',
  '/usr/bin/mksh',
  '/usr/bin/tcsh',
]

class Terminal implements Disposable {
  text = ''
  status: ExitStatus | null = null
  private readonly pty: Pty

  constructor(order: Partial<LoginOrder>) {
    const start = loginStart({ shell: '/bin/sh', argv: [], cwd: PLACE, env: { CONFIG_DIR: 'right' }, path: '', trialEnds: 0, ...order })
    if (start === null) throw new Error('too long')
    const { command, args } = start
    const env = { ...start.env, HOME, PATH: '/usr/bin:/bin', TERM: 'xterm', XDG_CONFIG_HOME: join(HOME, '.config'), XDG_RUNTIME_DIR: HOME }
    this.pty = startProgram(
      { command, args, cwd: PLACE, env, size: { cols: 400, rows: 24 } },
      {
        output: (bytes) => {
          this.text += Buffer.from(bytes).toString()
        },
        exited: (status) => {
          this.status = status
        },
      },
    )
  }

  type(text: string): void {
    this.pty.write(Buffer.from(text))
  }

  says(part: string | RegExp): Promise<unknown> {
    const isThere = (): boolean => (typeof part === 'string' ? this.text.includes(part) : part.test(this.text))
    return until(isThere, { what: `${part} in ${JSON.stringify(this.text)}`, timeoutMs: 20_000 })
  }

  async ended(): Promise<ExitStatus | null> {
    await until(() => this.status !== null, { what: `the end after ${JSON.stringify(this.text)}`, timeoutMs: 20_000 })
    return this.status
  }

  [Symbol.dispose](): void {
    if (this.status === null) process.kill(this.pty.pid, 'SIGKILL')
  }
}

const inTrial = (): number => Date.now() / 1_000 + 60

describe.each(SHELLS.filter(isInstalled))('an agent that is started by %s', { timeout: 40_000 }, (shell) => {
  test('is found in the PATH that the start files set, with its own arguments, directory and variables', async () => {
    using terminal = new Terminal({ shell, argv: ['says', 'a  b', "it's", '$HOME', '!!', ''] })
    await terminal.says(`<${PLACE}><right><unset><a  b><it's><$HOME><!!><>`)
    expect(terminal.text).toContain('noise')
    // The noise is on no screen.
    await terminal.says(/\d+ is \d+/)
    const [, screen, group, pid] = /\u{1b}\[H\u{1b}\[2J(.*?)(\d+) is (\d+)/su.exec(terminal.text) ?? []
    expect(screen).not.toContain('noise')
    expect(group).toBe(pid)
  })
})

describe('an agent that was started by a login shell', { timeout: 40_000 }, () => {
  const left = { shell: join(BIN, 'left') }

  test('leaves the user in a shell in its directory, which has the keyboard', async () => {
    using terminal = new Terminal({ ...left, argv: ['waits'], trialEnds: inTrial() })
    await terminal.says('ready')
    terminal.type('hello\n')
    await terminal.says(`left in ${PLACE}, `)
    await terminal.says(/, (\d+) is \1/)
    terminal.type('bye\n')
    expect(await terminal.ended()).toEqual({ code: 0 })
  })

  test('that fails within its trial ends with its code, and nothing else is started', async () => {
    using terminal = new Terminal({ ...left, argv: ['fails'], trialEnds: inTrial() })
    expect(await terminal.ended()).toEqual({ code: 3 })
    expect(terminal.text).not.toContain('left in')
  })

  test('that fails later leaves the user in a shell', async () => {
    using terminal = new Terminal({ ...left, argv: ['fails'], trialEnds: Date.now() / 1_000 - 1 })
    await terminal.says('left in')
  })

  test('is found where whoever asks for it has it, if the login shell does not know it', async () => {
    const elsewhere = join(HOME, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'apart'), '#!/bin/sh\necho "apart, and says: $(command -v says)"\n', { mode: 0o755 })
    using terminal = new Terminal({ ...left, argv: ['apart'], path: `/nowhere:${elsewhere}` })
    await terminal.says(`apart, and says: ${BIN}/says`)
  })

  test('that is not there says so and ends with 127', async () => {
    using terminal = new Terminal({ ...left, argv: ['nowhere-at-all'] })
    expect(await terminal.ended()).toEqual({ code: 127 })
    expect(terminal.text).toContain('nowhere-at-all was not found: it is not in the PATH of your login shell')
  })

  test('whose directory has gone ends with 126', async () => {
    using terminal = new Terminal({ ...left, argv: ['says'], cwd: `${PLACE}/gone` })
    expect(await terminal.ended()).toEqual({ code: 126 })
  })

  test('goes on when it stops itself or is stopped by a key, because nobody could continue it', async () => {
    using terminal = new Terminal({ ...left, argv: ['stops'] })
    await terminal.says('went on')
    terminal.type('\u{1a}')
    terminal.type('hello\n')
    await terminal.says('heard hello')
    await terminal.says('left in')
  })

  test('is interrupted by ^C alone: the user is left in a shell', async () => {
    using terminal = new Terminal({ ...left, argv: ['waits'] })
    await terminal.says('ready')
    terminal.type('\u{3}')
    await terminal.says('left in')
  })

  test('that was killed leaves no other screen and no mouse reports behind', async () => {
    using terminal = new Terminal({ ...left, argv: ['dies'] })
    await terminal.says('left in')
    const [, after = ''] = terminal.text.split('\u{1b}[?1000h')
    expect(after).toMatch(/\u{1b}\[\?1047l.*\u{1b}\[\?1000l.*\u{1b}\[\?25h.*left in/su)
  })
})
