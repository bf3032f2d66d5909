import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const BUILT = new URL('../../../build/daemon/health/watchdog.js', import.meta.url).href

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'w-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A process that stands still for a while, and what became of it. */
async function standsStill(ms: number): Promise<{ signal: NodeJS.Signals | null; said: string }> {
  const code = `
    import { startWatchdog } from ${JSON.stringify(BUILT)}
    const logFile = ${JSON.stringify(join(folder, 'log'))}
    const end = startWatchdog({ logFile, stalled: (ms) => { if (ms < 400) return; console.log('stalled'); end(); clearInterval(stay) }, tickMs: 50, fatalTicks: 40 })
    const stay = setInterval(() => undefined, 1_000)
    setTimeout(() => { const until = performance.now() + ${ms}; while (performance.now() < until); }, 200)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part: Buffer) => {
    said += part.toString()
  })
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, by) => resolve(by)))
  return { signal, said }
}

it('a main thread that stands still is told so when it goes on', async () => {
  expect(await standsStill(800)).toEqual({ signal: null, said: 'stalled\n' })
})

it('one that does not go on is ended, with a line in the log', async () => {
  expect(await standsStill(60_000)).toEqual({ signal: 'SIGKILL', said: '' })
  expect(JSON.parse(readFileSync(join(folder, 'log'), 'utf8'))).toMatchObject({ level: 60, msg: expect.stringContaining('was blocked') })
})
