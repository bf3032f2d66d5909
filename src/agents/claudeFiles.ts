/** Where Claude Code keeps its conversations, and which of its processes has which. */
import type { Finding, Look, PlaceLook, Reading, Transcript } from './agent.ts'
import { claudeTurn } from './claudeTurn.ts'
import { at, numberAt, parseJson, shownWords, textAt } from './decode.ts'
import { firstFile, pathOf, report, SLACK_MS, spellingsOf, TAIL_BYTES, transcriptAt } from './files.ts'
import type { StateReport } from './state.ts'

const baseOf = ({ env, home }: PlaceLook): string => env['CLAUDE_CONFIG_DIR'] || `${home}/.claude`

export async function claudeFindings(look: Look): Promise<readonly Finding[]> {
  const entry = await registryEntry(look)
  const id = textAt(entry, 'sessionId')
  if (id === null) return []
  return [{ id, provenance: 'registration', transcript: await pathOf(look, id, claudeTranscript), began: null }]
}

/** Its file stays when it is killed: another process with this number must not be taken for it. */
async function registryEntry(look: Look): Promise<unknown> {
  const { pids, innerPid, process, startedAt } = look.process
  for (const pid of innerPid === undefined ? pids : [...pids, innerPid]) {
    const entry = parseJson(await look.readText(`${baseOf(look)}/sessions/${pid}.json`))
    if (numberAt(entry, 'pid') !== pid || !isOfThisStart(entry, startedAt)) continue
    const start = textAt(entry, 'procStart')
    const isComparable = (pid === process.pid || pid === innerPid) && start !== null && /^\d+$/.test(start) && /^\d+$/.test(process.start)
    if (!isComparable || start === process.start) return entry
  }
  return undefined
}

const isOfThisStart = (entry: unknown, startedAt: number): boolean => (numberAt(entry, 'startedAt') ?? startedAt) >= startedAt - SLACK_MS

export async function claudeTranscript(look: PlaceLook, id: string): Promise<Transcript> {
  const projects = `${baseOf(look)}/projects`
  const usual = (await spellingsOf(look)).map((cwd) => `${projects}/${encoded(cwd)}/${id}.jsonl`)
  const found = await firstFile(look, usual)
  if (found !== null) return { kind: 'there', path: found.path }
  // Names of deep directories are cut in a way of its own, and a conversation stays where it began.
  const all = await look.list(projects)
  const elsewhere = await firstFile(
    look,
    all.filter(({ isDirectory }) => isDirectory).map(({ path }) => `${path}/${id}.jsonl`),
  )
  return transcriptAt(elsewhere?.path ?? null)
}

const encoded = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, '-')

export async function claudeReading(look: Look, { transcript }: Pick<Finding, 'transcript'>): Promise<Reading | null> {
  const entry = await registryEntry(look)
  const turn = transcript === null ? null : claudeTurn(await look.readText(transcript, { tail: TAIL_BYTES }))
  if (entry === undefined && turn === null) return null
  const registered = registeredState(entry, turn?.state?.words ?? null)
  const name = textAt(entry, 'nameSource') === 'derived' ? null : textAt(entry, 'name')
  return {
    state: better(registered, turn?.state ?? null),
    model: turn?.model ?? null,
    title: turn?.title ?? shownWords(name),
    tokens: turn?.tokens ?? null,
  }
}

/** That it waits for an answer the transcript may know more exactly: a question is no permission. */
function better(registered: StateReport | null, turn: StateReport | null): StateReport | null {
  if (registered === null) return turn
  const asks = registered.state === 'needs-you' && turn?.state === 'needs-you'
  return asks ? { ...registered, wants: turn.wants, words: turn.words ?? registered.words } : registered
}

function registeredState(entry: unknown, words: string | null): StateReport | null {
  const time = numberAt(entry, 'statusUpdatedAt') ?? numberAt(entry, 'updatedAt')
  if (time === null) return null
  switch (at(entry, 'status')) {
    case 'idle':
      return report('registration', 'idle', time, { words })
    case 'busy':
      return report('registration', 'working', time)
    case 'waiting': {
      const waitingFor = textAt(entry, 'waitingFor')
      const wants = waitingFor?.includes('permission') === true ? 'permission' : 'question'
      return report('registration', 'needs-you', time, { wants, words: shownWords(waitingFor) })
    }
    default:
      return null
  }
}
