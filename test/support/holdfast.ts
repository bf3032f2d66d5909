import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runHere } from './cliHere.ts'

const TIMEOUT_MS = 30_000

export const HOLDFAST = fileURLToPath(new URL('../../bin/holdfast.cjs', import.meta.url))

/** A fixture program by its file name, such as `prints-numbers.mjs`. */
export const fixtureProgram = (name: string): string => fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url))

export type RunOptions = {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly timeoutMs?: number
}

/** `code` is null when a signal ended it. */
export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

type Where = string | { readonly path: string }

/** Runs the built `holdfast` on a home of the test's own; in this process, where that makes no difference. */
export function run(home: Where, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  if (needsProcess(args, options) || options.input !== undefined || options.cwd !== undefined) return runProcess(home, args, options)
  return runHere(args, environment(home, options.env), options.timeoutMs ?? TIMEOUT_MS)
}

/** The same, always as a process of its own: where the test is about that process. */
export function runProcess(home: Where, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return runProgram(process.execPath, [HOLDFAST, ...args], { ...options, env: environment(home, options.env) })
}

/** Commands that tell their pid, become the daemon, or kill themselves on the way. */
const needsProcess = (args: readonly string[], { env }: RunOptions): boolean =>
  /^agent report\b/.test(args.join(' ')) || args.includes('--foreground') || (args[1] === 'hooks' && env?.['HOLDFAST_TRIP'] !== undefined)

/** Runs any program until it has ended and its output has closed: one that leaves its output to a child is late. */
export async function runProgram(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const child = spawn(file, args, { env: options.env ?? process.env, cwd: options.cwd, stdio: 'pipe' })
  const code = new Promise<number | null>((settle, fail) => child.once('exit', settle).once('error', fail))
  const output = Promise.all([collect(child.stdout), collect(child.stderr)])
  child.stdin.on('error', () => undefined) // it may end without reading what it was given
  child.stdin.end(options.input ?? '')
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
    child.stdout.destroy()
    child.stderr.destroy()
  }, timeoutMs)
  try {
    const ran = { code: await code, stdout: (await output)[0], stderr: (await output)[1] }
    if (late) throw new Error(`${[file, ...args].join(' ')} took more than ${timeoutMs} ms\n${ran.stdout}${ran.stderr}`)
    return ran
  } finally {
    clearTimeout(timer)
  }
}

/** The decoded output of a verb that can print JSON; anything but success throws with what it said. */
export async function json<Shape = unknown>(home: Where, args: readonly string[], options: RunOptions = {}): Promise<Shape> {
  const end = args.indexOf('--') === -1 ? args.length : args.indexOf('--')
  const { code, stdout, stderr } = await run(home, [...args.slice(0, end), '--json', ...args.slice(end)], options)
  if (code !== 0) throw new Error(`holdfast ${args.join(' ')} ended with ${code}\n${stderr}${stdout}`)
  return JSON.parse(stdout) as Shape
}

/** The environment of a program that works on `home`: no display, so that nothing opens a browser. */
export function environment(home: Where, more: RunOptions['env'] = {}): NodeJS.ProcessEnv {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, BROWSER: _browser, ...rest } = process.env
  return { ...rest, HOLDFAST_HOME: typeof home === 'string' ? home : home.path, ...more }
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: string[] = []
  stream.on('data', (part: Buffer) => parts.push(part.toString('latin1')))
  await new Promise((settle) => stream.once('close', settle))
  return Buffer.from(parts.join(''), 'latin1').toString('utf8')
}
