/** Where Codex keeps its conversations. Its own process holds the transcript open; if it leaves that to its server, only times tell. */
import type { Finding, Look, PlaceLook, Reading, Transcript } from './agent.ts'
import { argsOf } from './argv.ts'
import { codexTurn } from './codexTurn.ts'
import { jsonLines, shownWords, textAt, timeAt } from './decode.ts'
import { beganInRun, bornOfId, HEAD_BYTES, spellingsOf, stored, TAIL_BYTES, transcriptAt } from './files.ts'
import { UUID } from './idShapes.ts'

const baseOf = ({ env, home }: PlaceLook): string => env['CODEX_HOME'] || `${home}/.codex`

const ROLLOUT = /\/rollout-[^/]*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i
const LOCK = /\/thread-writer-locks\/([0-9a-f-]{36})\.lock$/i

export async function codexFindings(look: Look): Promise<readonly Finding[]> {
  const open = await look.openFiles()
  const rollouts = open.flatMap((path) => idAndPath(ROLLOUT, path))
  const own = (await Promise.all(rollouts.map(async (one) => ((await isUsers(look, one.path)) ? [one] : [])))).flat()
  const locked = open.flatMap((path) => idAndPath(LOCK, path)).filter(({ id }) => !rollouts.some((one) => one.id === id))
  const held = [...own, ...locked.map(({ id }) => ({ id, path: null }))].map(
    ({ id, path }): Finding => ({ id, provenance: 'open-file', transcript: path, began: bornOfId(id) }),
  )
  return held.length > 0 || hasNoServer(look) ? held : storedThreads(look)
}

const idAndPath = (pattern: RegExp, path: string): readonly { readonly id: string; readonly path: string }[] => {
  const id = pattern.exec(path)?.[1]
  return id === undefined ? [] : [{ id, path }]
}

/** Agents that it starts itself have transcripts too, open in the same process. The line is too long to be read as a whole. */
async function isUsers(look: PlaceLook, path: string): Promise<boolean> {
  const head = (await look.readText(path, { head: HEAD_BYTES })) ?? ''
  const source = /"thread_source":"(\w+)"/.exec(head)?.[1] ?? 'user'
  return source === 'user' && !/"source":\{"sub_?agent"/i.test(head)
}

/** With these it keeps its conversation in its own process, so what lies elsewhere is not its. */
function hasNoServer({ process: { process } }: Look): boolean {
  const args = argsOf({ id: 'codex', recognise: { names: ['codex'] } }, process.argv)
  return args.some((word) => /^(?:--no-daemon$|-c|--config\b|--remote\b)/.test(word))
}

async function storedThreads(look: Look): Promise<readonly Finding[]> {
  const database = await databaseOf(look)
  if (database === null) return []
  const rows = await Promise.all(
    (await spellingsOf(look)).map((cwd) =>
      look.query(database, 'SELECT * FROM threads WHERE cwd = ? ORDER BY updated_at DESC LIMIT 50', [cwd]),
    ),
  )
  const threads = rows.flat().flatMap((row) => {
    const id = textAt(row, 'id') ?? ''
    const began = bornOfId(id)
    const path = textAt(row, 'rollout_path')
    if (!UUID.test(id) || began === null || path === null || !beganInRun(began, look)) return []
    return (textAt(row, 'thread_source') ?? 'user') === 'user' ? [{ id, began, path }] : []
  })
  return await Promise.all(
    threads.map(async ({ id, began, path }): Promise<Finding> => {
      const asked = await firstTask(look, path)
      return { ...stored(id, began, path), ...(asked === null ? {} : { asked }) }
    }),
  )
}

/** Its first line holds all of its instructions. */
const BEGINNING_BYTES = 128 << 10

/** Threads may be made in another order than their terminals were started; what is said in them first is not. */
async function firstTask(look: PlaceLook, path: string): Promise<number | null> {
  const rows = jsonLines(await look.readText(path, { head: BEGINNING_BYTES }))
  const started = rows.find((row) => /^(?:task|turn)_started$/.test(textAt(row, 'payload', 'type') ?? ''))
  return started === undefined ? null : timeAt(started, 'timestamp')
}

/** Its number grows with each change of its shape; earlier ones stay behind. */
async function databaseOf(look: PlaceLook): Promise<string | null> {
  const files = await look.list(look.env['CODEX_SQLITE_HOME'] || baseOf(look))
  const numbered = files.flatMap(({ name, path }) => {
    const number = /^state_(\d{1,6})\.sqlite$/.exec(name)?.[1]
    return number === undefined ? [] : [{ path, number: Number(number) }]
  })
  return numbered.sort((a, b) => b.number - a.number)[0]?.path ?? null
}

export async function codexTranscript(look: PlaceLook, id: string): Promise<Transcript> {
  const row = await threadOf(look, id)
  const path = textAt(row, 'rollout_path')
  if (path !== null && (await look.stat(path)) !== null) return { kind: 'there', path }
  const began = bornOfId(id)
  if (began === null) return path === null ? { kind: 'unknown' } : { kind: 'gone' }
  const files = (await Promise.all(daysAround(began).map((day) => look.list(`${baseOf(look)}/sessions/${day}`)))).flat()
  const found = files.find(({ name }) => name.endsWith(`-${id}.jsonl`))
  return transcriptAt(found?.path ?? null)
}

async function threadOf(look: PlaceLook, id: string): Promise<unknown> {
  const database = await databaseOf(look)
  return database === null ? undefined : (await look.query(database, 'SELECT * FROM threads WHERE id = ?', [id]))[0]
}

const DAY_MS = 86_400_000

/** Its directories are named after the local day, which is not known here. */
const daysAround = (time: number): readonly string[] =>
  [time - DAY_MS, time, time + DAY_MS].map((day) => new Date(day).toISOString().slice(0, 10).replaceAll('-', '/'))

export async function codexReading(look: Look, { id, transcript }: Pick<Finding, 'id' | 'transcript'>): Promise<Reading | null> {
  if (transcript === null) return null
  const [tail, row] = await Promise.all([look.readText(transcript, { tail: TAIL_BYTES }), threadOf(look, id)])
  const turn = codexTurn(tail)
  return { ...turn, model: turn.model ?? shownWords(textAt(row, 'model')), title: shownWords(textAt(row, 'title')) }
}
