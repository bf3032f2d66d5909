import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { openStore } from '../../src/store/thread/openStore.ts'

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** Worker threads and fixture programs run built JavaScript. Does nothing when it is up to date. */
export const buildStore = (): void => void execFileSync(path('node_modules/.bin/tsc'), ['-b', path('src/store')], { stdio: 'inherit' })

/** A directory of the running test's own, removed when it ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens, or fails the test with the refusal; closed when the test ends. */
export async function openOrThrow(file: string, now: () => number = Date.now): Promise<Store> {
  const opened = await openStore({ file, now })
  if (!opened.ok) throw new Error(opened.refusal.message)
  onTestFinished(() => opened.value.close())
  return opened.value
}

/** What records of earlier versions lack, as it is decoded today. */
export function asDecodedToday(terminal: { readonly state: string; readonly restore: { readonly kind: string } }): object {
  const restore = terminal.restore.kind === 'latest' ? { ...terminal.restore, kind: 'unknown' } : terminal.restore
  const kept = { muted: false, unread: false, private: false, onRestore: 'policy', ...terminal, restore }
  if (terminal.state === 'waking') return { ...kept, mode: 'fresh', previousRestore: null }
  return terminal.state === 'live' ? { ...kept, mode: 'fresh', previousRun: null, previousRestore: null } : kept
}

export type FixtureProgram = {
  readonly pid: number
  readonly lines: readonly string[]
  /** Resolves when the program has said so many lines. */
  said(count: number): Promise<void>
  /** Ends its input and waits for its end. */
  finish(): Promise<void>
  kill(): Promise<void>
}

/** Starts a program of test/fixtures/store; it does not outlive the test. */
export function startFixture(name: string, ...args: readonly string[]): FixtureProgram {
  const child = spawn(process.execPath, [path(`test/fixtures/store/${name}`), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return {
    pid: child.pid ?? 0,
    lines,
    async said(count) {
      while (lines.length < count)
        await Promise.race([once(reader, 'line'), ended.then(() => Promise.reject(new Error(`${name} ended early`)))])
    },
    async finish() {
      child.stdin.end()
      await ended
    },
    kill,
  }
}
