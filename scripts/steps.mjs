/** Runs one step of a script after another, says which, and stops at the first that fails. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** `command` is a program of node_modules/.bin or of PATH. */
export function step(title, command, ...args) {
  const began = performance.now()
  const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  const { status, signal, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, PATH } })
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`
  if (status === 0) return say(`${title}: ok, ${took}`)
  say(`${title}: FAILED (${error?.message ?? signal ?? `exit ${status}`}, ${took}): ${[command, ...args].join(' ')}`)
  process.exit(1)
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
