#!/usr/bin/env node
/**
 * Records what a real program prints into test/fixtures/recordings/NAME.bin, and the sizes of its terminal into NAME.json.
 * `node scripts/record.mjs --help` says how.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { PERFORMANCES } from '../test/fixtures/recordings/performances.mjs'
import { ROOT, say } from './steps.mjs'
import { importTypeScript } from './typescript.mjs'

const HELP = `record NAME                                       one of test/fixtures/recordings/performances.mjs
record --all                                      all of them
record NAME COLSxROWS STEP… -- COMMAND [ARG…]     anything else

STEPs, in their order: --keys TEXT (\\r \\t \\e \\x7f as in JavaScript), --resize COLSxROWS, --pause MS.
The program starts in an empty directory /tmp/demo, which is its home, and is told nothing of this machine.`

const HOME = '/tmp/demo'
const ENV = {
  HOME,
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  USER: 'demo',
  LOGNAME: 'demo',
  PS1: 'demo:\\w\\$ ',
}
const MAX_BYTES = 60_000 // every byte is a cut that a test looks at

const args = process.argv.slice(2)
if (args.length === 0 || args.includes('--help')) say(HELP)
else if (args[0] === '--all') for (const name of Object.keys(PERFORMANCES)) await recordNamed(name)
else if (args.length === 1) await recordNamed(args[0])
else await recordCommand(args)

async function recordNamed(name) {
  const performance = PERFORMANCES[name]
  if (performance === undefined) fail(`${name} is not in performances.mjs; it has: ${Object.keys(PERFORMANCES).join(', ')}`)
  await perform(name, performance)
}

async function recordCommand([name, size, ...rest]) {
  const split = rest.indexOf('--')
  if (split < 0 || rest.length === split + 1) fail('which program? Put it after --')
  const steps = []
  for (let at = 0; at < split; at += 2) steps.push(stepOf(rest[at], rest[at + 1]))
  await perform(name, { size: sizeOf(size), command: rest.slice(split + 1), steps })
}

function stepOf(option, value) {
  if (value === undefined) fail(`${option} needs a value`)
  if (option === '--keys') return { keys: unescapeKeys(value) }
  if (option === '--resize') return { resize: sizeOf(value) }
  if (option === '--pause') return { pauseMs: Number(value) }
  return fail(`${option} is not a step; see --help`)
}

function unescapeKeys(text) {
  return text.replace(/\\(?:x([0-9a-f]{2})|(.))/gi, (_, hex, letter) =>
    hex === undefined ? ({ r: '\r', n: '\n', t: '\t', e: '\x1b' }[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function sizeOf(text) {
  const match = /^(\d+)x(\d+)$/.exec(text ?? '')
  return match === null ? fail(`${text} is not a size such as 80x24`) : { cols: Number(match[1]), rows: Number(match[2]) }
}

async function perform(name, { size, command, steps, env = {}, setUp = '', version = '' }) {
  const { record } = await importTypeScript('test/support/screen/recorder.ts')
  rmSync(HOME, { recursive: true, force: true })
  mkdirSync(HOME)
  try {
    const all = { ...ENV, ...env }
    if (setUp !== '') execFileSync('/bin/sh', ['-ec', setUp], { cwd: HOME, env: all, stdio: 'inherit' })
    const said = version === '' ? '' : execFileSync('/bin/sh', ['-c', version], { env: all }).toString().split('\n')[0]
    const [program, ...programArgs] = command
    const recording = await record({ size, command: program, args: programArgs, cwd: HOME, env: all, steps })
    keep(name, recording, { program: said || program })
  } finally {
    rmSync(HOME, { recursive: true, force: true })
  }
}

function keep(name, { bytes, cols, rows, resizes }, { program }) {
  const folder = join(ROOT, 'test/fixtures/recordings')
  const text = Buffer.from(bytes).toString()
  const tells = [hostname(), userInfo().username, ROOT].filter((word) => word !== 'root' && text.includes(word))
  if (tells.length > 0) fail(`${name} was not kept: it tells of this machine (${tells.join(', ')})`)
  if (bytes.length > MAX_BYTES) fail(`${name} was not kept: ${bytes.length} bytes are more than ${MAX_BYTES}`)
  writeFileSync(join(folder, `${name}.bin`), bytes)
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ program, cols, rows, resizes }, null, 2)}\n`)
  say(`${name}: ${bytes.length} bytes, ${resizes.length} resizes (${program})`)
}

function fail(why) {
  console.error(why)
  process.exit(1)
}
