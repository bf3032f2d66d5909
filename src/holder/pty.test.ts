import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import type { ExitStatus } from '../wire/holder.ts'
import { type Program, type Pty, startProgram } from './pty.ts'

type Ran = { readonly pty: Pty; readonly output: () => Buffer; readonly exited: Promise<ExitStatus> }

function run(args: readonly string[], more: Partial<Program> = {}): Ran {
  const pieces: Buffer[] = []
  let exit: (status: ExitStatus) => void
  const exited = new Promise<ExitStatus>((resolve) => {
    exit = resolve
  })
  const program = { command: '/bin/sh', args, cwd: '/', env: { PATH: '/usr/bin:/bin' }, size: { cols: 80, rows: 24 }, ...more }
  const pty = startProgram(program, { output: (bytes) => pieces.push(Buffer.from(bytes)), exited: (status) => exit(status) })
  return { pty, output: () => Buffer.concat(pieces), exited }
}

const type = (pty: Pty, text: string): boolean => pty.write(Buffer.from(text))

describe('a program on a terminal', () => {
  it('loses no byte when it prints and exits at once, a thousand times', async () => {
    const expected = `${'x'.repeat(20_000)}END`
    let left = 1_000
    const wrong: number[] = []
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        const program = run(['-c', 'printf "%020000d" 0 | tr 0 x; printf END'])
        await program.exited
        if (program.output().toString() !== expected) wrong.push(program.output().length)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(wrong).toEqual([])
  }, 60_000)

  it('takes a paste of a megabyte without a deadlock', async () => {
    const paste = Buffer.from('0123456789abcdef'.repeat(65_536))
    const { pty, output, exited } = run(['-c', `stty raw -echo; printf R; head -c ${paste.length}`])
    await until(() => output().length > 0, { what: 'raw mode' })
    expect(pty.write(paste)).toBe(true)
    await exited
    expect(output().subarray(1).equals(paste)).toBe(true)
  })

  it('that reads nothing does not take memory without end, nor the processor', async () => {
    const { pty, output, exited } = run(['-c', 'stty raw -echo; printf R; exec sleep 100'])
    await until(() => output().length > 0, { what: 'raw mode' })
    const block = Buffer.alloc(1 << 20)
    let taken = 0
    while (taken < 100 && pty.write(block)) taken++
    expect(taken).toBeGreaterThan(4)
    expect(taken).toBeLessThan(20)
    process.kill(pty.pid, 'SIGKILL')
    expect(await exited).toEqual({ signal: 'SIGKILL' })
  })

  it('says how it ended', async () => {
    expect(await run(['-c', 'exit 7']).exited).toEqual({ code: 7 })
    expect(await run(['-c', 'kill -TERM $$']).exited).toEqual({ signal: 'SIGTERM' })
  })

  it('sees its size, its directory and exactly its environment', async () => {
    const cwd = realpathSync(mkdtempSync(`${tmpdir()}/cwd-`))
    const { output, exited } = run(['-c', 'stty size; pwd; /usr/bin/env'], { cwd, env: { ONLY: 'this one' }, size: { cols: 91, rows: 17 } })
    await exited
    rmSync(cwd, { recursive: true })
    const lines = output().toString().split('\r\n')
    expect(lines.slice(0, 2)).toEqual(['17 91', cwd])
    expect(lines).toContain('ONLY=this one')
    expect(lines.some((line) => /^(PATH|HOME|VITEST)=/.test(line))).toBe(false)
  })

  it('is told of a new size', async () => {
    const { pty, output, exited } = run(['-c', 'trap "stty size; exit" WINCH; printf R; while :; do sleep 0.01; done'])
    await until(() => output().length > 0, { what: 'the trap' })
    pty.resize({ cols: 100, rows: 30 })
    await exited
    expect(output().toString()).toContain('30 100')
  })

  it('waits while it is paused', async () => {
    const { pty, output, exited } = run(['-c', 'read x; seq 100000; printf END'])
    pty.pause()
    type(pty, '\n')
    await until(() => true, { what: 'a turn' })
    expect(output().length).toBe(0)
    pty.resume()
    await exited
    expect(output().toString().endsWith('100000\r\nEND')).toBe(true)
  })

  it.skipIf(process.platform !== 'linux')('inherits no file of ours', async () => {
    const others = [run(['-c', 'read x']), run(['-c', 'read x'])]
    const { output, exited } = run(['-c', 'ls -l /proc/self/fd | grep -c -e ptmx -e socket'])
    await exited
    expect(output().toString().trim()).toBe('0')
    for (const { pty } of others) type(pty, '\n')
    await Promise.all(others.map((other) => other.exited))
  })

  it('ends although a program it left behind goes on printing', async () => {
    const { exited, output } = run(['-c', 'trap "" HUP; (while echo noise; do :; done) & sleep 0.1; exit 3'])
    expect(await exited).toEqual({ code: 3 })
    expect(output().toString()).toContain('noise')
  })
})
