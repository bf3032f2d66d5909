import process from 'node:process'
import { expect, test } from 'vitest'
import { checkpoints, makeCheckpointHome, shown, untilCheckpoint } from '../support/checkpoints.ts'
import { environment, HOLDFAST, json, run } from '../support/holdfast.ts'
import type { Home } from '../support/home.ts'
import { openPty } from '../support/ptyClient.ts'

const READS = ['--', 'sh', '-c', 'echo hello; while read line; do echo "got $line"; done']
const checkpoint = (home: Home, ...args: readonly string[]) => run(home, ['checkpoint', ...args])
const create = async (home: Home, note: string): Promise<string> => (await checkpoint(home, 'create', '--note', note)).stdout.trim()

async function homeWithTerminal(): Promise<Home> {
  const home = makeCheckpointHome({ debounce_ms: 60_000 }) // only those that are asked for
  await run(home, ['daemon', 'start'])
  await untilCheckpoint(home, 'the one of the start', ({ kind }) => kind === 'startup')
  expect((await run(home, ['new', '--name', 'api', ...READS])).code).toBe(0)
  return home
}

test('checkpoints are listed, shown and compared, for people and for programs', async () => {
  await using home = await homeWithTerminal()
  const first = await create(home, 'before\x1b[31m the upgrade')
  const listed = (await checkpoint(home, 'ls')).stdout
  expect(listed).toMatch(/^ID +AGE +KIND +TERMINALS +SIZE +STATE +NOTE$/m)
  expect(listed).toMatch(new RegExp(`^${first} +\\d+s +manual +1 +[\\d.]+ KiB +good +before.*the upgrade$`, 'm'))
  expect(listed).not.toContain('\x1b')
  expect(listed).toMatch(/startup +0 +\d+ B +empty$/m)

  const shownText = (await checkpoint(home, 'show', 'latest')).stdout
  expect(shownText).toContain(`checkpoint ${first}, manual, good`)
  expect(shownText).toMatch(/^workspace main$/m)
  expect(shownText).toMatch(/^t\w{10} +api +live +sh -c .* 120x40$/m)

  await run(home, ['rename', 'api', 'web'])
  await run(home, ['send', 'web', 'more', '--enter'])
  await run(home, ['wait', 'web', '--text', 'got more'])
  const now = (await checkpoint(home, 'diff', first)).stdout.split('\n')
  expect(now[0]).toBe(`${first} → now`)
  expect(now).toEqual(expect.arrayContaining(['    name: api → web', '    screen: new output']))
  const second = await create(home, 'after')
  await run(home, ['new', '--name', 'other', ...READS])
  const gained = (await checkpoint(home, 'diff', 'latest')).stdout
  expect(gained).toMatch(/^\+ terminal t\w{10} \(other\) in main$/m)
  await run(home, ['close', '--yes', 'web'])
  expect((await checkpoint(home, 'diff', second)).stdout).toMatch(/^- terminal t\w{10} \(web\) from main$/m)

  const same = await json<{ diff: { terminals: object[] } }>(home, ['checkpoint', 'diff', 'latest', second])
  expect(same.diff).toEqual({ terminals: [], workspaces: [], groups: [] })
  expect((await checkpoint(home, 'diff', 'latest', second)).stdout).toContain('No difference.')
  expect((await shown(home, 'latest~1')).id).toBe(first)
  const dashF = await checkpoint(home, 'ls', '-f', 'json')
  expect(JSON.parse(dashF.stdout)).toEqual(await checkpoints(home))
})

test('the screen of a terminal is what it was, in every format, also after the terminal is gone', async () => {
  await using home = await homeWithTerminal()
  await run(home, ['new', '--name', 'many', '--', 'sh', '-c', 'seq 1 500; printf "\\033[31mred\\033[0m"; exec sleep 300'])
  await run(home, ['wait', 'many', '--text', 'red'])
  const id = await create(home, 'with colours')
  await run(home, ['close', '--yes', 'many'])
  const text = (await checkpoint(home, 'show', id, '--screen', 'many')).stdout
  expect(text.trimEnd().split('\n').slice(-3)).toEqual(['499', '500', 'red'])
  expect(text.trimEnd().split('\n')).toHaveLength(40)
  expect((await checkpoint(home, 'show', id, '--screen', 'many', '--format', 'ansi')).stdout).toContain('\x1b[0;31mred')
  expect((await checkpoint(home, 'show', id, '--screen', 'many', '--format', 'html')).stdout).toMatch(/<span[^>]*>red/)
  const asJson = JSON.parse((await checkpoint(home, 'show', id, '--screen', 'many', '--json')).stdout) as {
    rows: number
    lines: { text: string }[]
  }
  expect(asJson.rows).toBe(40)
  expect(asJson.lines.at(-1)?.text).toBe('red')
})

test('what cannot be is refused by name, with a code for programs', async () => {
  await using home = await homeWithTerminal()
  const id = await create(home, 'one')
  const refusalOf = async (...args: readonly string[]) => {
    const { code, stderr } = await checkpoint(home, ...args, '-f', 'json')
    return { code, refusal: (JSON.parse(stderr) as { refusal: { code: string } }).refusal.code }
  }
  expect(await refusalOf('show', 'nothing')).toEqual({ code: 1, refusal: 'checkpoint-not-found' })
  expect(await refusalOf('show', 'latest~99')).toEqual({ code: 1, refusal: 'checkpoint-not-found' })
  expect(await refusalOf('show', 'c')).toEqual({ code: 1, refusal: 'checkpoint-ambiguous' })
  expect(await refusalOf('diff', id, 'nothing')).toEqual({ code: 1, refusal: 'checkpoint-not-found' })
  expect(await refusalOf('show', id, '--screen', 'nobody')).toEqual({ code: 1, refusal: 'checkpoint-screen-missing' })
  expect(await refusalOf('delete', id)).toEqual({ code: 1, refusal: 'checkpoint-newest-good' })
  expect(await refusalOf('delete', 'latest~1', 'nothing')).toEqual({ code: 1, refusal: 'checkpoint-not-found' })
  expect(await checkpoints(home)).toHaveLength(2) // one that is missing keeps the others
  expect((await checkpoint(home, 'show', id, '--format', 'html')).code).toBe(2)
  expect((await checkpoint(home, 'show', id, '--format', 'xml')).code).toBe(2)
  expect((await checkpoint(home)).stderr).toContain('ls|show|diff|create|delete')
})

test('checkpoints are deleted by name; the newest good one only by force', async () => {
  await using home = await homeWithTerminal()
  const ids = [await create(home, 'one'), await create(home, 'two'), await create(home, 'three')]
  expect(await json(home, ['checkpoint', 'delete', 'latest~1', 'latest~2'])).toEqual([ids[1], ids[0]])
  const refused = await checkpoint(home, 'delete', 'latest')
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toContain('is the newest good checkpoint')
  expect((await checkpoint(home, 'delete', '--force', 'latest')).code).toBe(0)
  expect((await checkpoints(home)).map(({ note }) => note)).toEqual([null])
  expect((await checkpoint(home, 'delete', '--force', 'latest')).code).toBe(0)
  expect((await checkpoint(home, 'ls')).stdout).toContain('No checkpoints yet.')
  expect((await checkpoint(home, 'show', 'latest')).stderr).toContain('There is no checkpoint yet.')
})

test('a person is asked before one is deleted', async () => {
  await using home = await homeWithTerminal()
  await create(home, 'one')
  await create(home, 'two')
  const typed = async (answer: string): Promise<number> => {
    const args = [HOLDFAST, 'checkpoint', 'delete', 'latest~1']
    await using pty = openPty(process.execPath, { args, env: environment(home) })
    await pty.waitFor(/Delete it\? \[y\/N\]/)
    pty.type(`${answer}\r`)
    return (await pty.ended).code
  }
  expect(await typed('n')).toBe(1)
  expect(await checkpoints(home)).toHaveLength(3)
  expect(await typed('y')).toBe(0)
  expect((await checkpoints(home)).map(({ note }) => note)).toEqual(['two', null])
})
