/** GitHub Copilot CLI. In the directory of a conversation lies a lock that names the process. */
import type { Finding, Look, PlaceLook, Transcript } from './agent.ts'
import { copilotTurn } from './copilotTurn.ts'
import { beganInRun, firstFile, pathOf, TAIL_BYTES, transcriptAt } from './files.ts'
import { COPILOT_FLAGS } from './flags/copilot.ts'
import { flagTable, wordsOf } from './flags/flagTable.ts'
import { plainAgent } from './plainAgent.ts'
import { shownBy } from './shown.ts'

const MOST_CONVERSATIONS = 200 // the newest: those of a running process are among them

export const copilot = plainAgent({
  id: 'copilot',
  label: 'GitHub Copilot CLI',
  recognise: { names: ['copilot'], paths: ['/@github/copilot'] },
  resume: (id) => [`--resume=${id}`],
  assign: (id) => [`--session-id=${id}`],
  flags: {
    grammar: 'clap',
    takes: { ...COPILOT_FLAGS, ...flagTable({ optional: '--worktree' }) },
    choosing: ['--resume', '-r', '--continue', '--session-id', '--connect'],
    prompting: ['-i', '--interactive', '--attachment', '--fleet'],
    once: ['-C', '--worktree', '--name', '-n'],
    notConversation: wordsOf(`
      -h --help -v --version -p --prompt --acp --environment-host app completion config help init instruction login lsp mcp memories
      plugin sandbox sessions skill update version workflow
    `),
  },
  exitHint: /Resume copilot --resume=([0-9a-f-]{36})/i,
  findings,
  transcript,
  reading: async (look, { transcript: path }) => (path === null ? null : copilotTurn(await look.readText(path, { tail: TAIL_BYTES }))),
  shown: shownBy({
    asks: { question: /^\s*│ (?:Do you want|Would you like) to\b/, choice: /^\s*│ ❯ \d+\. \S/ },
    prompt: /^╹▀{10,}/,
    busy: /^ \S .*\besc\b/,
  }),
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
