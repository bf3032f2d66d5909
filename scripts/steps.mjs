/** Runs the steps of a script, and says of each how it went. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`
const SURROUNDINGS = { cwd: ROOT, env: { ...process.env, PATH } }

/** Ends the script if the step fails. `command` is a program of node_modules/.bin or of PATH. */
export function step(title, command, ...args) {
  const began = performance.now()
  const { status, signal, error } = spawnSync(command, args, { ...SURROUNDINGS, stdio: 'inherit' })
  if (!report(title, [command, ...args], { began, status, reason: error?.message ?? signal })) process.exit(1)
}

/** Beside others: what it prints is shown when it has ended. Resolves to whether it succeeded; the script fails if it did not. */
export function stepBeside(title, command, ...args) {
  const began = performance.now()
  return new Promise((settle) => {
    const child = spawn(command, args, { ...SURROUNDINGS, stdio: ['ignore', 'pipe', 'pipe'] })
    const printed = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk))
    const end = (status, reason) => {
      process.stdout.write(Buffer.concat(printed))
      const isGood = report(title, [command, ...args], { began, status, reason })
      if (!isGood) process.exitCode = 1
      settle(isGood)
    }
    child.once('close', end)
    child.once('error', (error) => {
      child.removeListener('close', end) // which may follow
      end(null, error.message)
    })
  })
}

function report(title, words, { began, status, reason }) {
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`
  say(status === 0 ? `${title}: ok, ${took}` : `${title}: FAILED (${reason ?? `exit ${status}`}, ${took}): ${words.join(' ')}`)
  return status === 0
}

/** The number behind an option of the command line. */
export function numberOption(option, otherwise, isFit = Number.isFinite) {
  const at = process.argv.indexOf(option)
  const value = at < 0 ? otherwise : Number(process.argv[at + 1])
  if (isFit(value) && value >= 0) return value
  console.error(`${option} takes a number; see --help`)
  return process.exit(2)
}

export const say = (text) => console.log(`• ${text}`)
export const exists = (path) => existsSync(join(ROOT, path))
