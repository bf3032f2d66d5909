import { setTimeout as delay } from 'node:timers/promises'
import { startProgram } from '../../../src/holder/pty.ts'
import { createScreen, type ScreenSize } from '../../../src/screen/screen.ts'
import type { Recording } from './recordings.ts'

/** Runs a program in a real terminal that answers its queries, types at it, and keeps every byte it prints. */
export type Step = { readonly keys: string } | { readonly resize: ScreenSize } | { readonly pauseMs: number }

export type Performance = {
  readonly size: ScreenSize
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

const QUIET_MS = 250 // after a step the program has said what it had to say once it is silent for this long
const LONGEST_MS = 3_000 // but some, like a clock, are never silent
const KEY_MS = 12 // a fast typist; a whole line at once is taken for a paste by some programs
const END_MS = 3_000 // then the program is killed: it should end by its keys

export async function record({ size, command, args, cwd, env, steps }: Performance): Promise<Omit<Recording, 'name'>> {
  const screen = createScreen(size)
  const output: Uint8Array[] = []
  const resizes: Recording['resizes'][number][] = []
  let length = 0
  let lastAt = performance.now()
  let ended = false
  let end = () => {}
  const exited = new Promise<void>((resolve) => {
    end = resolve
  })
  const pty = startProgram(
    { command, args, cwd, env, size },
    {
      output(bytes) {
        const copy = Uint8Array.from(bytes) // not `slice`: of a Buffer that is the same memory
        output.push(copy)
        length += copy.length
        lastAt = performance.now()
        void screen.feed(copy)
      },
      exited() {
        ended = true
        end()
      },
    },
  )
  screen.onReply((text) => pty.write(Buffer.from(text)))
  const settle = async () => {
    const began = performance.now()
    lastAt = began
    while (!ended && performance.now() - lastAt < QUIET_MS && performance.now() - began < LONGEST_MS) await delay(10)
  }
  const perform = async (step: Step): Promise<void> => {
    if ('pauseMs' in step) return await delay(step.pauseMs)
    if ('resize' in step) {
      resizes.push({ at: length, ...step.resize })
      await screen.resize(step.resize)
      pty.resize(step.resize)
    } else {
      for (const key of keysOf(step.keys)) {
        if (ended) return
        pty.write(Buffer.from(key))
        await delay(KEY_MS)
      }
    }
    await settle()
  }
  await settle()
  for (const step of steps) if (!ended) await perform(step)
  const timer = setTimeout(() => process.kill(pty.pid, 'SIGKILL'), END_MS)
  await exited
  clearTimeout(timer)
  screen.dispose()
  return { ...size, resizes, bytes: new Uint8Array(Buffer.concat(output)) }
}

/** One press each: a character, or a whole escape sequence. */
const keysOf = (keys: string): string[] => keys.match(/\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|[\s\S]/gu) ?? []
