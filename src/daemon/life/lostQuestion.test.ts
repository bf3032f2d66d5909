import { expect, it } from 'vitest'
import { asleep, live, terminalId } from '../../../test/support/terminals.ts'
import type { TerminalId } from '../../base/ids.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { LostQuestion } from './lostQuestion.ts'

const [one, two, three] = [terminalId(1), terminalId(2), terminalId(3)]
const lost = (id: TerminalId, since = 1_000): Terminal => asleep({ id, since, because: { kind: 'lost' } })

/** Daemons one after the other on the same state. */
function scene(terminals: readonly Terminal[]) {
  const settings = new Map<string, string>()
  const known = new Map(terminals.map((terminal) => [terminal.id, terminal]))
  const told: DaemonEvent[] = []
  let isFull = false
  const keepSetting = (key: string, value: string): Promise<void> =>
    isFull ? Promise.reject(new Error('no space left')) : Promise.resolve(void settings.set(key, value))
  const surroundings = {
    store: { setting: (key: string) => Promise.resolve(settings.get(key) ?? null), keepSetting },
    registry: { get: (id: TerminalId) => known.get(id) ?? null },
    audience: { announce: (event: DaemonEvent) => told.push(event) },
    log: { warn: () => undefined },
  } as unknown as ConstructorParameters<typeof LostQuestion>[0]
  const ask = async (ids: readonly TerminalId[], happened: 'reboot' | 'crash' = 'crash') => {
    const question = new LostQuestion(surroundings)
    await question.ask({ at: 2_000, happened, terminals: [...ids] })
    return question
  }
  return { ask, told, put: (terminal: Terminal) => known.set(terminal.id, terminal), fill: () => (isFull = true) }
}

it('a question stays open through daemons, and says what happened first; what is lost later comes to it', async () => {
  const { ask, put } = scene([lost(one), lost(two)])
  await ask([one, two], 'reboot')
  expect((await ask([])).open).toEqual({ at: 2_000, happened: 'reboot', terminals: [one, two] })
  expect((await ask([one])).open?.happened).toBe('reboot')
  put(lost(three))
  expect((await ask([three])).open).toMatchObject({ happened: 'crash', terminals: [one, two, three] })
})

it('nothing lost asks nothing', async () => {
  expect((await scene([]).ask([])).open).toBeNull()
})

it('once answered it never comes back, though the next daemon finds the same terminals lost', async () => {
  const { ask, told, put } = scene([lost(one), lost(two)])
  const question = await ask([one, two])
  await question.answer()
  expect([question.open, told]).toEqual([null, [{ kind: 'recovery', recovery: null }]])
  expect((await ask([one, two])).open).toBeNull()
  put(lost(two, Date.now() + 5_000))
  expect((await ask([one, two])).open?.terminals, 'what was lost after the answer is asked about').toEqual([two])
})

it('an answer that cannot be kept leaves the question open', async () => {
  const { ask, fill } = scene([lost(one)])
  const question = await ask([one])
  fill()
  await expect(question.answer()).rejects.toThrow('no space left')
  expect(question.open?.terminals).toEqual([one])
})

it('who is woken or closed by hand is off the list, and the last one answers the question', async () => {
  const { ask, put, told } = scene([lost(one), lost(two)])
  const question = await ask([one, two])
  put(live({ id: one }))
  question.changed(one)
  expect(told).toEqual([{ kind: 'recovery', recovery: { at: 2_000, happened: 'crash', terminals: [two] } }])
  put(live({ id: two }))
  question.changed(two)
  expect([question.open, told.at(-1)]).toEqual([null, { kind: 'recovery', recovery: null }])
})
