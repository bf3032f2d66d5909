/** pi. Its conversations lie in a directory per project, named after the time at which each began. */
import type { Finding, Look, PlaceLook, Transcript } from './agent.ts'
import { jsonLines, numberAt, textAt, timeAt } from './decode.ts'
import { beganInRun, HEAD_BYTES, spellingsOf, stored, TAIL_BYTES, transcriptAt } from './files.ts'
import { wordsOf } from './flags/flagTable.ts'
import { PI_FLAGS } from './flags/pi.ts'
import { piShown } from './piShown.ts'
import { piTurn } from './piTurn.ts'
import { plainAgent } from './plainAgent.ts'

export const pi = plainAgent({
  id: 'pi',
  label: 'pi',
  recognise: { names: ['pi'], paths: ['/pi-coding-agent/'] },
  resume: (id) => ['--session', id],
  flags: {
    grammar: 'pi',
    takes: PI_FLAGS,
    choosing: ['--session', '--fork', '-c', '--continue', '-r', '--resume'],
    unsaved: ['--no-session'],
    notConversation: wordsOf(`
      -h --help -v --version -p --print --export --list-models install remove uninstall update list config
    `),
  },
  configEnv: ['PI_CODING_AGENT_DIR'],
  findings,
  transcript,
  reading: async (look, { transcript: path }) => (path === null ? null : piTurn(await look.readText(path, { tail: TAIL_BYTES }))),
  shown: piShown,
})

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-(\d{1,3}))?Z?_([0-9a-f-]{36})\.jsonl$/i

type Chat = { readonly id: string; readonly began: number; readonly path: string; readonly used: number }

async function chatsOf(look: PlaceLook): Promise<readonly Chat[]> {
  const base = look.env['PI_CODING_AGENT_DIR'] || `${look.home}/.pi/agent`
  const directories = (await spellingsOf(look)).map((cwd) => `${base}/sessions/--${cwd.replace(/^\//, '').replace(/[/\\:]/g, '-')}--`)
  const files = (await Promise.all(directories.map((directory) => look.list(directory)))).flat()
  return files.flatMap(({ name, path, modified: used }) => {
    const [, day, hours, minutes, seconds, millis = '0', id = ''] = NAME.exec(name) ?? []
    const began = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${millis.padStart(3, '0')}Z`)
    return Number.isNaN(began) ? [] : [{ id, began, path, used }]
  })
}

async function findings(look: Look): Promise<readonly Finding[]> {
  const chats = (await chatsOf(look)).filter(({ began }) => beganInRun(began, look))
  return await Promise.all(
    chats.map(async ({ id, began, path, used }) => {
      const asked = await firstAsked(look, path)
      return stored(id, began, path, { used, ...(asked === null ? {} : { asked }) })
    }),
  )
}

/** A conversation begins when pi starts; what is said in it first tells more about whose it is. */
async function firstAsked(look: PlaceLook, path: string): Promise<number | null> {
  const rows = jsonLines(await look.readText(path, { head: HEAD_BYTES }))
  const first = rows.find((row) => textAt(row, 'message', 'role') === 'user')
  return first === undefined ? null : (numberAt(first, 'message', 'timestamp') ?? timeAt(first, 'timestamp'))
}

async function transcript(look: PlaceLook, id: string): Promise<Transcript> {
  return transcriptAt((await chatsOf(look)).find((chat) => chat.id === id)?.path ?? null)
}
