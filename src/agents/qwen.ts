/** Qwen Code. As with Claude Code a file per process names its conversation. */

import type { Finding, Look, PlaceLook, Transcript } from './agent.ts'
import { parseJson, textAt } from './decode.ts'
import { beganInRun, firstFile, pathOf, transcriptAt } from './files.ts'
import { plainAgent } from './plainAgent.ts'
import { SPINNER, shownBy } from './shown.ts'

export const qwen = plainAgent({
  id: 'qwen',
  label: 'Qwen Code',
  recognise: { names: ['qwen'], paths: ['/@qwen-code/qwen-code/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    withValue: ['-m', '--model', '--approval-mode'],
    withMany: ['--include-directories', '--allowed-tools', '-e', '--extensions'],
    alone: ['-y', '--yolo', '-s', '--sandbox', '-d', '--debug'],
    droppedWithValue: ['--session-id'],
    choosing: ['-r', '--resume', '-c', '--continue', '--session-id'],
    notConversation: ['-h', '--help', '-v', '--version', '-p', '--prompt', '--acp', '--list-extensions', 'mcp', 'extensions'],
  },
  exitHint: /To continue this session, run ?qwen --resume ?([0-9a-f-]{36})/i,
  findings,
  transcript,
  shown: shownBy({
    titles: [
      [SPINNER, 'working'],
      [/^Qwen - /, 'idle'],
    ],
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
