import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RecoveryView } from '../../src/wire/recoveryView.ts'
import { connectTo, isDaemon } from '../support/daemon.ts'
import { HABITS, installFakeAgents } from '../support/fakeAgent.ts'
import { json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { endProcesses, processesMentioning } from '../support/processes.ts'
import { change } from '../support/restoring.ts'
import type { TerminalRow } from '../support/terminalView.ts'

const AGENTS = 20
const OTHER_BOOT = '00000000-0000-4000-8000-000000000000'
const idOf = (number: number): string => `0198f7c1-9c1e-4f50-b111-0c2b7e1a2d${String(number).padStart(2, '0')}`

/** The daemon needs less than two seconds where nothing else runs; here it shares two cores with other tests. */
const DAEMON_ENDS_WITHIN_MS = 6_000

/** SIGTERM for every process at once, and SIGKILL for those left after two seconds: what a machine does that is shut down. */
async function shutDown(home: Home): Promise<void> {
  const told = processesMentioning(home.path)
  for (const { pid } of told) tell(pid, 'SIGTERM')
  await delay(2_000)
  const daemons = told.filter(isDaemon).map(({ pid }) => pid)
  await until(() => !processesMentioning(home.path).some(({ pid }) => daemons.includes(pid)), {
    ...{ what: 'the daemon to end', timeoutMs: DAEMON_ENDS_WITHIN_MS },
  })
  await endProcesses(home.path)
  change(home, "UPDATE sessions SET host_id = json_set(host_id, '$.boot', ?)", OTHER_BOOT)
}

function tell(pid: number, signal: 'SIGTERM'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended with another one
  }
}

/** How long the daemon took to end, in ms, as its log says. */
function stoppedWithin(home: Home): number {
  const lines = readFileSync(`${home.path}/logs/daemon.log`, 'utf8').trimEnd().split('\n')
  const last = lines.map((line) => JSON.parse(line) as { msg: string; ms?: number }).findLast(({ msg }) => msg === 'the daemon has stopped')
  return last?.ms ?? Number.POSITIVE_INFINITY
}

/** Each says an id of its own when it is told to end, and not before. Only what has a transcript can be resumed. */
function prepareAgents(home: Home) {
  const agents = installFakeAgents(home, ['codex'])
  agents.behave('codex', HABITS.saysIdOnTerm(`To continue this session, run:\\n  codex resume '"$CONVERSATION"'`))
  const files = join(home.path, 'codex')
  const day = join(files, 'sessions/2025/08/29')
  mkdirSync(day, { recursive: true })
  for (let number = 0; number < AGENTS; number++) writeFileSync(join(day, `rollout-2025-08-29T10-00-00-${idOf(number)}.jsonl`), '{}\n')
  return { PATH: agents.path, CODEX_HOME: files }
}

test('a machine that is shut down costs no record, no screen and no conversation of twenty agents, and all of them were running', async () => {
  await using home = makeHomeWithOwnPort()
  const env = prepareAgents(home)
  await run(home, ['daemon', 'start'])
  await run(home, ['new', '--name', 'ended', '--', 'sh', '-c', 'exit 3']) // long before: what ends in the last second may have been told to
  const client = await connectTo(home)
  for (let number = 0; number < AGENTS; number++) {
    const made = await client.request('terminal.new', {
      command: 'codex',
      args: [`prompt-${number}`],
      cwd: home.path,
      name: `agent-${number}`,
      env: { ...env, CONVERSATION: idOf(number) },
      inherited: { PATH: env.PATH },
    })
    expect(made.ok).toBe(true)
  }
  await until(async () => (await json<TerminalRow[]>(home, ['ls'])).filter(({ agent }) => agent?.name === 'codex').length === AGENTS, {
    what: 'all agents to be seen',
    timeoutMs: 30_000,
  })
  client.close()
  expect((await json<TerminalRow[]>(home, ['ls'])).every(({ conversation }) => conversation === null)).toBe(true)
  await run(home, ['new', '--name', 'slept', '--', 'sleep', '300'])
  await run(home, ['sleep', '--force', 'slept'])
  await until(() => processesMentioning(home.path).some(isDaemon), { what: 'the daemon' })
  await shutDown(home)

  await run(home, ['daemon', 'start'])
  const asking = await connectTo(home)
  const listed = await asking.request('terminal.list', {})
  const after: readonly TerminalRow[] = listed.ok ? listed.value.result : []
  const agents = after.filter(({ name }) => name?.startsWith('agent-'))
  expect(agents.map(({ conversation }) => conversation)).toEqual(Array.from({ length: AGENTS }, (_, number) => idOf(number)))
  expect(agents.map(({ state, because }) => ({ state, because }))).toEqual(
    Array.from({ length: AGENTS }, () => ({ state: 'asleep', because: { kind: 'lost' } })),
  )
  expect(after.filter(({ name }) => name === 'ended' || name === 'slept').map(({ because }) => because?.kind)).toEqual(['exited', 'slept'])
  for (const [number, { id }] of agents.entries()) {
    const read = await asking.request('terminal.read', { terminal: id, history: 0, format: 'text' })
    expect(read.ok && read.value.result.content, `the screen of agent ${number}`).toContain(`argv: [prompt-${number}]`)
  }
  const shown = await asking.request('recovery.show', {})
  asking.close()
  expect(shown.ok && (shown.value.result as RecoveryView)).toMatchObject({ happened: 'shutdown', terminals: agents.map(({ id }) => id) })
  expect(stoppedWithin(home), 'the time the daemon needed').toBeLessThan(DAEMON_ENDS_WITHIN_MS)
})

test('a daemon that alone is told to end leaves its programs running, and asks nothing afterwards', async () => {
  await using home = makeHomeWithOwnPort()
  await run(home, ['new', '--name', 'stays', '--', 'sleep', '300'])
  for (const { pid } of processesMentioning(home.path).filter(isDaemon)) process.kill(pid, 'SIGTERM')
  await until(() => !processesMentioning(home.path).some(isDaemon), { what: 'the daemon to be gone' })
  expect(await json<TerminalRow[]>(home, ['ls'])).toMatchObject([{ name: 'stays', state: 'live' }])
  const client = await connectTo(home)
  expect(await client.request('recovery.show', {})).toMatchObject({ ok: true, value: { result: null } })
  client.close()
})
