/** A tmux client in control mode: one command per line, each answer between %begin and %end. */
import { spawn } from 'node:child_process'
import { within } from './clock.mjs'

const ANSWER_WITHIN_MS = 10_000

export async function openControl({ file, args, env }) {
  const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = []
  let lines = null
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop()
    for (const line of parts) takeLine(line)
  })
  const takeLine = (line) => {
    if (lines === null) {
      if (line.startsWith('%begin ')) lines = []
    } else if (/^%(end|error) \d+ \d+ \d+$/.test(line)) {
      const answer = lines
      lines = null
      waiting.shift()?.(line.startsWith('%error') ? new Error(answer.join(' ')) : answer)
    } else lines.push(line)
  }
  const answered = () => within(ANSWER_WITHIN_MS, 'an answer of tmux', new Promise((resolve) => waiting.push(resolve)))
  await answered() // that of attaching
  return {
    /** The lines of the answer. */
    async ask(command) {
      const answer = answered()
      child.stdin.write(`${command}\n`)
      const lines = await answer
      if (lines instanceof Error) throw lines
      return lines
    },
    close: () => child.kill(),
  }
}
