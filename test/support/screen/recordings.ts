import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScreenSize } from '../../../src/screen/screen.ts'

/** What a real program printed, and when its terminal changed size meanwhile. */
export type Recording = ScreenSize & {
  readonly name: string
  readonly bytes: Uint8Array
  /** The terminal had the new size from this many bytes on. In order. */
  readonly resizes: readonly (ScreenSize & { readonly at: number })[]
}

const PROGRAMS = 'test/fixtures/recordings'
const AGENTS = '../shared/agent-rig/recordings'
const AGENTS_SIZE = { cols: 120, rows: 40 }

/** @param root of the repository; every script and test runs there. */
export function programRecordings(root: string = process.cwd()): Recording[] {
  return binaries(join(root, PROGRAMS)).map(({ name, path }) => {
    const { cols, rows, resizes } = JSON.parse(readFileSync(path.replace(/\.bin$/, '.json'), 'utf8')) as Recording
    return { name, cols, rows, resizes, bytes: read(path) }
  })
}

/** Output of real agents. These are not part of the repository: empty where they are absent. */
export function agentRecordings(root: string = process.cwd()): Recording[] {
  return binaries(join(root, AGENTS)).map(({ name, path }) => ({ name, ...AGENTS_SIZE, resizes: [], bytes: read(path) }))
}

const read = (path: string): Uint8Array => new Uint8Array(readFileSync(path))

function binaries(folder: string): { name: string; path: string }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.bin'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.bin'.length), path: join(folder, file) }))
}
