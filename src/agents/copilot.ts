/** GitHub Copilot CLI. In the directory of a conversation lies a lock that names the process. */
import type { Finding, Look, PlaceLook, Transcript } from './agent.ts'
import { beganInRun, firstFile, pathOf, transcriptAt } from './files.ts'
import { plainAgent } from './plainAgent.ts'

const MOST_CONVERSATIONS = 200 // the newest: those of a running process are among them

export const copilot = plainAgent({
  id: 'copilot',
  label: 'GitHub Copilot CLI',
  recognise: { names: ['copilot'], paths: ['/@github/copilot'] },
  resume: (id) => [`--resume=${id}`],
  assign: (id) => [`--session-id=${id}`],
  flags: {
    withValue: ['--model', '--agent', '--add-dir', '--allow-tool', '--deny-tool', '--additional-mcp-config'],
    alone: ['--allow-all-tools', '--allow-all-paths', '--no-custom-instructions', '--banner'],
    choosing: ['--resume', '--continue', '--session-id'],
    notConversation: ['-h', '--help', '-v', '--version', '-p', '--prompt', '--acp', 'help', 'mcp', 'plugin', 'login', 'update', 'version'],
  },
  exitHint: /Resume copilot --resume=([0-9a-f-]{36})/i,
  findings,
  transcript,
})

const sessionsOf = ({ home }: PlaceLook): string => `${home}/.copilot/session-state`

async function findings(look: Look): Promise<readonly Finding[]> {
  const all = await look.list(sessionsOf(look))
  for (const { name: id, path } of all.toSorted((a, b) => b.modified - a.modified).slice(0, MOST_CONVERSATIONS)) {
    const lock = await firstFile(
      look,
      look.process.pids.map((pid) => `${path}/inuse.${pid}.lock`),
    )
    // One that was written before this process started is of an earlier one with its number.
    if (lock === null || !beganInRun(lock.modified, look)) continue
    return [{ id, provenance: 'registration', transcript: await pathOf(look, id, transcript), began: null }]
  }
  return []
}

async function transcript(look: PlaceLook, id: string): Promise<Transcript> {
  return transcriptAt((await firstFile(look, [`${sessionsOf(look)}/${id}/events.jsonl`]))?.path ?? null)
}
