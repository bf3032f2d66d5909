/** Qwen Code. As with Claude Code a file per process names its conversation. */

import type { Finding, Look, PlaceLook, Transcript } from './agent.ts'
import { parseJson, textAt } from './decode.ts'
import { beganInRun, firstFile, pathOf, TAIL_BYTES, transcriptAt } from './files.ts'
import { flagTable, wordsOf } from './flags/flagTable.ts'
import { QWEN_FLAGS } from './flags/qwen.ts'
import { plainAgent } from './plainAgent.ts'
import { qwenTurn } from './qwenTurn.ts'
import { SPINNER, shownBy } from './shown.ts'

export const qwen = plainAgent({
  id: 'qwen',
  label: 'Qwen Code',
  recognise: { names: ['qwen'], paths: ['/@qwen-code/qwen-code/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    grammar: 'yargs',
    takes: { ...QWEN_FLAGS, ...flagTable({ none: '--experimental-acp --experimental-skills', one: '--sandbox-session-id' }) },
    choosing: ['-r', '--resume', '-c', '--continue', '--session-id', '--fork-session', '--sandbox-session-id'],
    prompting: ['-i', '--prompt-interactive', '--input-file'],
    once: ['--worktree'],
    notConversation: wordsOf(`
      -h --help -v --version -p --prompt --acp --experimental-acp -l --list-extensions
      auth board channel extensions hooks mcp review sandbox serve sessions update
    `),
  },
  exitHint: /To continue this session, run ?qwen --resume ?([0-9a-f-]{36})/i,
  findings,
  transcript,
  reading: async (look, { transcript: path }) => (path === null ? null : qwenTurn(await look.readText(path, { tail: TAIL_BYTES }))),
  shown: shownBy({
    asks: { question: /^\s*(?:\? \S|Allow\b|Apply\b|Do you\b)/, choice: /^\s*› \d+\. \S/ },
    titles: [
      [/^✳/, 'needs-you'],
      [SPINNER, 'working'],
      [/^Qwen - /, 'idle'],
    ],
    prompt: /^[>!*] /,
    busy: /^\s*[⠀-⣿].*\besc to\b/,
    busyAbove: 4,
  }),
})

async function findings(look: Look): Promise<readonly Finding[]> {
  for (const pid of look.process.pids) {
    const path = `${look.home}/.qwen/sessions/${pid}.json`
    const file = await look.stat(path)
    // One that was written before this process started is of an earlier one with its number.
    if (file === null || !beganInRun(file.modified, look)) continue
    const id = textAt(parseJson(await look.readText(path)), 'sessionId')
    if (id !== null) return [{ id, provenance: 'registration', transcript: await pathOf(look, id, transcript), began: null }]
  }
  return []
}

async function transcript(look: PlaceLook, id: string): Promise<Transcript> {
  const projects = await look.list(`${look.home}/.qwen/projects`)
  const found = await firstFile(
    look,
    projects.map(({ path }) => `${path}/chats/${id}.jsonl`),
  )
  return transcriptAt(found?.path ?? null)
}
