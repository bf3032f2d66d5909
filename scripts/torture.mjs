#!/usr/bin/env node
/** Kills daemons and holders for as long as you like: see test/e2e/torture.test.ts for what must hold. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { numberOption, ROOT } from './steps.mjs'

const HELP = `npm run torture -- [--rounds 500] [--seed N] [--minutes 30] [--kinds trip,moment,both,holders,stop,power,migrate]
It ends with the rounds or the time, whichever comes first. A failure prints its seed. Before that, the daemon is killed a hundred
times under ten programs, a client and a page; not where only some kinds are asked for.`

if (process.argv.includes('--help')) {
  console.log(HELP)
  process.exit(0)
}

const kinds = process.argv[process.argv.indexOf('--kinds') + 1]
const env = {
  ...process.env,
  ...(process.argv.includes('--kinds') ? { TORTURE_KINDS: kinds } : {}),
  CRASH_KILLS: process.env['CRASH_KILLS'] ?? '100',
  TORTURE_ROUNDS: String(numberOption('--rounds', 500)),
  TORTURE_SEED: String(numberOption('--seed', Date.now() % 1_000_000_000)),
  TORTURE_SECONDS: String(numberOption('--minutes', 30) * 60),
}
const run = (command, args) => spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env }).status ?? 1
const files = process.argv.includes('--kinds') ? ['torture'] : ['crash', 'torture']
const tests = files.map((name) => `test/e2e/${name}.test.ts`)
process.exit(run(process.execPath, ['scripts/build.mjs']) || run('npx', ['vitest', 'run', '--project', 'e2e', ...tests]))
