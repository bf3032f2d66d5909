import childProcess, { type ExecFileOptions, type SpawnOptions } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import process from 'node:process'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import type { Ran } from './holdfast.ts'

const BIN = fileURLToPath(new URL('../../bin/holdfast.cjs', import.meta.url))
const BUNDLE = fileURLToPath(new URL('../../dist/cli/main.bundle.js', import.meta.url))

type ExecFileTold = (error: Error | null, stdout: string | Buffer, stderr: string | Buffer) => void
type Module = { exports: { main(argv: readonly string[]): Promise<void> } }
/** What a CommonJS module is given, and the `process` that it is to see. */
type Surroundings = {
  readonly require: (name: string) => unknown
  readonly module: Module
  readonly process: object
}
type Program = (surroundings: Surroundings) => void

let compiled: Program | null = null

/**
 * Runs the built command line in this process, with a `process` of its own: its arguments, environment, output and exit code are as
 * in a process, without the 0.2 s of processor time that Node needs to start. Its modules are evaluated anew for each call.
 */
export async function runHere(args: readonly string[], env: NodeJS.ProcessEnv, timeoutMs: number): Promise<Ran> {
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  const text = (name: 'stdout' | 'stderr') => Buffer.concat(said[name]).toString()
  const module: Module = { exports: { main: () => Promise.resolve() } }
  const require = createRequire(BUNDLE)
  let timer: NodeJS.Timeout | undefined
  const code = await new Promise<number>((settle, fail) => {
    const late = () => fail(new Error(`holdfast ${args.join(' ')} took more than ${timeoutMs} ms\n${text('stdout')}${text('stderr')}`))
    timer = setTimeout(late, timeoutMs)
    const own = processFor(args, env, said, settle)
    const instead: Record<string, unknown> = { 'node:process': own, 'node:child_process': childProcessWith(own.env) }
    const requireHere = (name: string): unknown => instead[name] ?? require(name)
    program()({ require: requireHere, module, process: own })
    module.exports.main(args).catch(fail)
  }).finally(() => clearTimeout(timer))
  return { code, stdout: text('stdout'), stderr: text('stderr') }
}

function program(): Program {
  if (compiled === null) {
    const places = { __filename: BUNDLE, __dirname: dirname(BUNDLE) }
    const names = `const { require, module, process } = surroundings, { exports } = module, { __filename, __dirname } = ${JSON.stringify(places)}`
    const text = `(surroundings) => { ${names};${readFileSync(BUNDLE, 'latin1')}\n}`
    compiled = new Script(text, { filename: BUNDLE }).runInThisContext() as Program
  }
  return compiled
}

/** Everything else is this process's own, so that a signal to `process.pid` or a change of directory has to be refused. */
function processFor(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  said: Readonly<Record<'stdout' | 'stderr', Buffer[]>>,
  exit: (code: number) => void,
): { readonly env: NodeJS.ProcessEnv } {
  const events = new EventEmitter()
  const refuse = (what: string) => () => {
    throw new Error(`${what}: run this command as a process (runProcess)`)
  }
  const own = {
    argv: [process.execPath, BIN, ...args],
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    stdin: Readable.from([]),
    stdout: collecting(said.stdout),
    stderr: collecting(said.stderr),
    exitCode: undefined,
    exit: (code?: number) => exit(code ?? 0),
    kill: (pid: number, signal?: NodeJS.Signals | number) => (pid === process.pid ? refuse('process.kill')() : process.kill(pid, signal)),
    chdir: refuse('process.chdir'),
    on: events.on.bind(events),
    once: events.once.bind(events),
    off: events.off.bind(events),
  }
  return Object.create(process, Object.getOwnPropertyDescriptors(own)) as typeof own
}

/** Programs that the command line starts have its environment, and are looked for in its PATH. */
function childProcessWith(env: NodeJS.ProcessEnv): typeof childProcess {
  const spawn = (file: string, args: readonly string[], options: SpawnOptions) => childProcess.spawn(file, args, { env, ...options })
  const execFile = (file: string, args: readonly string[], options: ExecFileOptions, told: ExecFileTold) =>
    childProcess.execFile(file, args, { env, ...options }, told)
  return { ...childProcess, spawn, execFile } as typeof childProcess
}

const collecting = (into: Buffer[]): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, taken) => {
      into.push(chunk)
      taken()
    },
  })
