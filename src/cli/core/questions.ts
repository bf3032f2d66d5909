/**
 * Questions to the user: confirmations, and passphrases, which are typed hidden or read from a file. Never from an argument:
 * every user of the machine can read those.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { SHORTEST_PASSPHRASE } from '../../wire/commands/checkpoint.ts'
import type { Cli, Input, Option } from './verb.ts'

/** Anything but yes is no, and so is the end of input. */
export async function confirm(question: string, cli: Pick<Cli, 'stdin' | 'stderr'>): Promise<boolean> {
  return /^y(es)?$/i.test(await typed(`${question} [y/N] `, cli))
}

/** The typed line, trimmed. */
export async function typed(question: string, cli: Pick<Cli, 'stdin' | 'stderr'>): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: cli.stdin, output: cli.stderr })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return (await Promise.race([lines.question(question), ended])).trim()
  } finally {
    lines.close()
  }
}

export const PASSPHRASE_OPTION: Option = {
  flags: '--passphrase-file <file>',
  help: 'read the passphrase from this file’s first line (- is stdin)',
}

const MOST_FILE_BYTES = 4_096
const TRIES = 3

type Asking = Pick<Cli, 'stdin' | 'stderr' | 'cwd' | 'complain'>

/** For a file to be written: typed twice. */
export async function newPassphrase(cli: Asking, input: Input): Promise<Result<string>> {
  const file = input.text('passphraseFile')
  const first = file === undefined ? await typedHidden('Passphrase: ', cli) : fromFile(file, cli)
  if (!first.ok) return first
  if ([...first.value].length < SHORTEST_PASSPHRASE)
    return refused(refusals.passphraseUnusable(`it has fewer than ${SHORTEST_PASSPHRASE} characters`))
  if (file !== undefined) return first
  const again = await typedHidden('Repeat the passphrase: ', cli)
  if (again.ok && again.value !== first.value) return refused(refusals.passphraseUnusable('the two passphrases differ'))
  return again
}

/** Calls `ask` with the known passphrase; if the file is sealed, asks the user for it and remembers it for the next call. */
export function sealedAsker(
  cli: Asking,
  input: Input,
): <Value>(ask: (known: { passphrase?: string }) => Promise<Result<Value>>) => Promise<Result<Value>> {
  let known: { passphrase?: string } = {}
  const file = input.text('passphraseFile')
  return async (ask) => {
    let answer = await ask(known)
    for (let tries = 0; tries < TRIES && !answer.ok && isAboutPassphrase(answer.refusal.code, file); tries++) {
      if (answer.refusal.code === 'passphrase-wrong') cli.complain(answer.refusal.message)
      const got = file === undefined ? await typedHidden('Passphrase: ', cli) : fromFile(file, cli)
      if (!got.ok) return cli.stdin.isTTY === true || file !== undefined ? got : answer
      known = { passphrase: got.value }
      answer = await ask(known)
    }
    return answer
  }
}

/** A wrong passphrase is asked for again only if it was typed. */
const isAboutPassphrase = (code: string, file: string | undefined): boolean =>
  code === 'import-sealed' || (code === 'passphrase-wrong' && file === undefined)

function fromFile(file: string, { cwd, stdin }: Pick<Cli, 'cwd' | 'stdin'>): Result<string> {
  try {
    const handle = file === '-' ? stdin.fd : openSync(resolve(cwd, file), 'r')
    try {
      if (file !== '-' && isOpenToOthers(handle)) return refused(refusals.passphraseExposed(file))
      const [line = ''] = firstBytes(handle).toString('utf8').split(/\r?\n/)
      return line === '' ? refused(refusals.passphraseUnusable(`${file} has an empty first line`)) : done(line)
    } finally {
      if (file !== '-') closeSync(handle)
    }
  } catch (error) {
    return refused(refusals.passphraseUnusable(`${file} cannot be read: ${systemReason(error)}`))
  }
}

const FOR_OTHERS = 0o077

/** As ssh checks keys. A pipe, such as the shell's `<(…)`, is not readable by other users. */
function isOpenToOthers(handle: number): boolean {
  const stats = fstatSync(handle)
  return stats.isFile() && (stats.mode & FOR_OTHERS) !== 0
}

/** A pipe delivers them in pieces. */
function firstBytes(handle: number): Buffer {
  const bytes = Buffer.alloc(MOST_FILE_BYTES)
  let length = 0
  for (let read = -1; read !== 0 && length < bytes.length && !bytes.subarray(0, length).includes('\n'); length += read)
    read = readSync(handle, bytes, length, bytes.length - length, null)
  return bytes.subarray(0, length)
}

const [ENTER, NEWLINE, BACKSPACE, DELETE, KILL, INTERRUPT, END] = ['\r', '\n', '\b', '\x7f', '\x15', '\x03', '\x04']

function typedHidden(question: string, { stdin, stderr }: Pick<Cli, 'stdin' | 'stderr'>): Promise<Result<string>> {
  if (stdin.isTTY !== true)
    return Promise.resolve(refused(refusals.passphraseUnusable('there is no terminal to type it in; use --passphrase-file')))
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.resume()
  stdin.setEncoding('utf8')
  return new Promise((resolve) => {
    let text: string[] = []
    const finish = (result: Result<string>): void => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      resolve(result)
    }
    const take = (typed: string): void => {
      for (const character of typed) {
        if (character === ENTER || character === NEWLINE) return finish(done(text.join('')))
        if (character === INTERRUPT || character === END) return finish(refused(refusals.passphraseUnusable('the input was canceled')))
        if (character === BACKSPACE || character === DELETE) text = text.slice(0, -1)
        else if (character === KILL) text = []
        else if (character >= ' ') text.push(character)
      }
    }
    stdin.on('data', take)
  })
}
