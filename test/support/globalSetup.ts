import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { NPM_CERTIFICATES } from './agents/installAgents.ts'
import { collectLeftovers } from './leftovers.ts'

const LONGEST_TMPDIR = 24 // characters; a socket's whole path must stay below 104 on macOS and 108 on Linux
const KEPT_FROM_OUTSIDE = 'HOLDFAST_TEST_AGENTS' // where whoever runs the tests keeps the agents' programs
const NO_HOME = '/dev/null/each-test-makes-its-own-home' // below a file, so that nothing can ever be created there

/** Gives the run one temporary root, keeps every test away from the real state directory, and fails the run if anything is left. */
export function setup(): () => Promise<void> {
  for (const name of Object.keys(process.env)) if (name.startsWith('HOLDFAST_') && name !== KEPT_FROM_OUTSIDE) delete process.env[name]
  // Read at the start of each Node, thousands of times in a run, and used by none but npm.
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  delete process.env['NODE_EXTRA_CA_CERTS']
  if (certificates !== undefined) process.env[NPM_CERTIFICATES] = certificates
  const root = mkdtempSync(join(tmpdir().length > LONGEST_TMPDIR ? '/tmp' : tmpdir(), 'hf-'))
  process.env['HOLDFAST_HOME'] = NO_HOME
  process.env['HOLDFAST_TEST_ROOT'] = root
  return async () => {
    const leftovers = await collectLeftovers(root)
    rmSync(root, { recursive: true, force: true })
    if (leftovers.length === 0) return
    process.exitCode = 1 // the runner prints what a teardown throws, and would still exit with 0
    throw new Error(`The tests left something behind:\n  ${leftovers.join('\n  ')}`)
  }
}
