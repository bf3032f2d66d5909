/** What a user may ask for, at random, with what each answer promises. */
import type { DaemonClient } from '../../../src/client/daemonClient.ts'
import type { CommandName, Outcome, Params } from '../../../src/wire/commands/commands.ts'
import { certain, certainWorkspaces, type Expected, type ExpectedWorkspace, type Fate, fateOf, type Model, together } from './model.ts'
import type { Random } from './random.ts'

/** `heard` is called in the moment of the answer. */
export type Operation = { readonly what: string; run(client: DaemonClient, heard: () => void): Promise<void> }

/** `holdersMayDie`: in this round holders die while the daemon lives, and what is asked of them may be refused. */
export type Circumstances = { readonly model: Model; readonly random: Random; readonly holdersMayDie: boolean }
type Make = (circumstances: Circumstances) => Operation | null

type Asking<Name extends CommandName> = {
  readonly command: Name
  readonly params: Params<Name>
  done(result: Outcome<Name>): void
  /** It did not happen. */
  refused(code: string): void
}

const WITHOUT_HOLDER = ['start-failed', 'not-live', 'busy', 'holder-unreachable', 'program-ended']

function operation<Name extends CommandName>(
  { holdersMayDie }: Circumstances,
  { command, params, done, refused }: Asking<Name>,
): Operation {
  const what = `${command} ${JSON.stringify(params)}`
  return {
    what,
    async run(client, heard) {
      const answer = await client.request(command, params)
      if (answer.ok) {
        heard()
        return done(answer.value.result)
      }
      const { code, message } = answer.refusal
      if (code === 'daemon-unreachable') return // it may have happened, or not
      if (!holdersMayDie || !WITHOUT_HOLDER.includes(code)) throw new Error(`${what} was refused: ${code}: ${message}`)
      refused(code)
    },
  }
}

const TERMINALS = { least: 4, most: 9 }
const WORKSPACES_AT_MOST = 4

export function randomOperation(circumstances: Circumstances): Operation | null {
  const { model, random } = circumstances
  const count = certain(model).length
  const make = random.pick([
    ...(count < TERMINALS.most ? Array(count < TERMINALS.least ? 6 : 2).fill(newTerminal) : []),
    ...(count > TERMINALS.least ? [close, close] : []),
    ...[sleep, sleep, wake, wake, wake, end, rename, move, move, moveBeside],
    ...(model.workspaces.length < WORKSPACES_AT_MOST ? [newWorkspace] : [closeWorkspace]),
    ...[renameWorkspace, closeWorkspace, createCheckpoint],
  ] as Make[])
  return make?.(circumstances) ?? null
}

/** Something that comes by this point, where that can be said. */
export function operationFor(point: string, circumstances: Circumstances): Operation | null {
  const [, makes] = PASSES.find(([pattern]) => pattern.test(point)) ?? []
  return circumstances.random.pick(makes ?? [randomOperation])?.(circumstances) ?? null
}

const PASSES: readonly (readonly [RegExp, readonly Make[]])[] = [
  [/checkpoint|mirror/, [(circumstances) => createCheckpoint(circumstances)]],
  [/forget/, [(circumstances) => close(circumstances)]],
  [/settle|keepScreen/, [(circumstances) => sleep(circumstances), (circumstances) => close(circumstances)]],
  [/releaseHolder|after-exit-record/, [(circumstances) => sleep(circumstances), (circumstances) => end(circumstances)]],
  [/spawn|holder:/, [(circumstances) => newTerminal(circumstances), (circumstances) => wake(circumstances)]],
  [
    /topology/,
    [(circumstances) => move(circumstances), (circumstances) => newWorkspace(circumstances), (circumstances) => moveBeside(circumstances)],
  ],
]

const started = (holdersMayDie: boolean): readonly Fate[] => (holdersMayDie ? ['live', 'lost', 'exited'] : ['live'])

function newTerminal(circumstances: Circumstances): Operation | null {
  const { model, random, holdersMayDie } = circumstances
  const workspace = random.pick(certainWorkspaces(model).filter((each) => !model.leaving.has(each)))
  if (workspace === undefined) return null
  const number = ++model.counter
  const [name, token] = [`n${number}`, `token-${number}-`]
  const expected: Expected = {
    ...{ id: null, token, names: [name], places: [workspace.id], fates: ['live', 'lost', 'failed', 'exited'], exists: 'maybe' },
    ...{ run: null, mayRunAnew: true, mayMove: true, shown: null, torn: null },
  }
  model.terminals.push(expected)
  model.busy.add(expected)
  return operation(circumstances, {
    command: 'terminal.new',
    params: { name, workspace: workspace.id, cwd: '/', env: {}, command: 'sh', args: ['-c', `echo ${token}; read line; exit 7`] },
    done: ({ id, run }) => Object.assign(expected, { id, run, exists: 'yes', fates: started(holdersMayDie), mayRunAnew: false }),
    refused: () => Object.assign(expected, { exists: 'no' }),
  })
}

function idle({ model, random }: Circumstances, isFit: (fate: Fate | null) => boolean): Expected | undefined {
  return random.pick(certain(model).filter((each) => !model.busy.has(each) && isFit(fateOf(each))))
}

function sleep(circumstances: Circumstances): Operation | null {
  const expected = idle(circumstances, (fate) => fate === 'live')
  if (expected?.id == null) return null
  circumstances.model.busy.add(expected)
  const before = expected.fates
  expected.fates = together(before, ['slept'])
  return operation(circumstances, {
    command: 'terminal.sleep',
    params: { terminal: expected.id, force: true },
    done: () => Object.assign(expected, { fates: ['slept'] }),
    refused: () => Object.assign(expected, { fates: before }),
  })
}

function wake(circumstances: Circumstances): Operation | null {
  const { model, holdersMayDie } = circumstances
  const expected = idle(circumstances, (fate) => fate !== 'live' && fate !== null)
  if (expected?.id == null) return null
  model.busy.add(expected)
  expected.fates = together(expected.fates, ['live', 'lost', 'failed', 'exited'])
  expected.mayRunAnew = true
  return operation(circumstances, {
    command: 'terminal.wake',
    params: { terminal: expected.id },
    done: ({ run }) => Object.assign(expected, { run, fates: started(holdersMayDie), mayRunAnew: false }),
    refused: () => Object.assign(expected, { fates: ['failed', 'lost'] }), // a refusal promises nothing: it need not be on disk
  })
}

/** The program ends by itself, because it got the line it waits for. */
function end(circumstances: Circumstances): Operation | null {
  const expected = idle(circumstances, (fate) => fate === 'live')
  if (expected?.id == null) return null
  circumstances.model.busy.add(expected)
  const { id: terminal } = expected
  expected.fates = together(expected.fates, ['exited'])
  const send = operation(circumstances, {
    command: 'terminal.send',
    params: { terminal, enter: true },
    done: () => undefined,
    refused: () => undefined,
  })
  const wait = operation(circumstances, {
    command: 'terminal.wait',
    params: { terminal, until: { kind: 'exit' }, timeoutMs: 20_000 },
    done: () => Object.assign(expected, { fates: ['exited'] }),
    refused: () => undefined,
  })
  return {
    what: `end ${terminal}`,
    async run(client, heard) {
      await send.run(client, () => undefined)
      await wait.run(client, heard)
    },
  }
}

function close(circumstances: Circumstances): Operation | null {
  const expected = idle(circumstances, (fate) => fate !== null)
  if (expected?.id == null) return null
  circumstances.model.busy.add(expected)
  expected.exists = 'maybe'
  return operation(circumstances, {
    command: 'terminal.close',
    params: { terminal: expected.id },
    done: () => Object.assign(expected, { exists: 'no' }),
    refused: () => Object.assign(expected, { exists: 'yes' }),
  })
}

/** One that is being closed, or that another one asks the same of, is left alone: who was first could not be told. */
function rename(circumstances: Circumstances): Operation | null {
  const { model, random } = circumstances
  const expected = random.pick(certain(model).filter(({ names }) => names.length === 1))
  if (expected?.id == null || model.busy.has(expected)) return null
  const before = expected.names
  const name = `n${++model.counter}`
  expected.names = together(before, [name])
  return operation(circumstances, {
    command: 'terminal.rename',
    params: { terminal: expected.id, name },
    done: () => Object.assign(expected, { names: [name] }),
    refused: () => Object.assign(expected, { names: before }),
  })
}

const movable = ({ model, random }: Circumstances): Expected | undefined =>
  random.pick(certain(model).filter((each) => !each.mayMove && !model.busy.has(each)))

type Destination = { readonly to: string; readonly params: Omit<Params<'terminal.move'>, 'terminal'> }

function moved(circumstances: Circumstances, expected: Expected, { to, params }: Destination): Operation {
  const before = expected.places
  Object.assign(expected, { places: together(before, [to]), mayMove: true })
  return operation(circumstances, {
    command: 'terminal.move',
    params: { terminal: expected.id ?? '', ...params },
    done: () => Object.assign(expected, { places: [to] }),
    refused: () => Object.assign(expected, { places: before }),
  })
}

function move(circumstances: Circumstances): Operation | null {
  const { model, random } = circumstances
  const expected = movable(circumstances)
  const to = random.pick(certainWorkspaces(model).filter((each) => !model.leaving.has(each)))
  return expected === undefined || to === undefined ? null : moved(circumstances, expected, { to: to.id, params: { to: to.id } })
}

function moveBeside(circumstances: Circumstances): Operation | null {
  const { model, random } = circumstances
  const expected = movable(circumstances)
  const leaving = new Set([...model.leaving].map(({ id }) => id))
  const stays = (each: Expected): boolean =>
    each !== expected && !each.mayMove && !model.busy.has(each) && !leaving.has(each.places[0] ?? '')
  const neighbour = random.pick(certain(model).filter(stays))
  if (expected === undefined || neighbour?.id == null) return null
  neighbour.mayMove = true // whoever moves it too would change where this one goes
  const where = random.pick(['left', 'right', 'top', 'bottom', 'center'] as const) ?? 'right'
  return moved(circumstances, expected, { to: neighbour.places[0] ?? '', params: { beside: { terminal: neighbour.id, where } } })
}

function createCheckpoint(circumstances: Circumstances): Operation {
  const { model } = circumstances
  return operation(circumstances, {
    command: 'checkpoint.create',
    params: { note: `number ${++model.counter}` },
    done: ({ id }) => model.checkpoints.push(id),
    refused: () => undefined,
  })
}

function newWorkspace(circumstances: Circumstances): Operation {
  const { model } = circumstances
  const name = `w${++model.counter}`
  const expected: ExpectedWorkspace = { id: null, names: [name], exists: 'maybe' }
  model.workspaces.push(expected)
  return operation(circumstances, {
    command: 'workspace.new',
    params: { name },
    done: ({ id }) => Object.assign(expected, { id, exists: 'yes' }),
    refused: () => Object.assign(expected, { exists: 'no' }),
  })
}

function renameWorkspace(circumstances: Circumstances): Operation | null {
  const { model, random } = circumstances
  const expected = random.pick(certainWorkspaces(model).filter((each) => each.names.length === 1 && !model.leaving.has(each)))
  if (expected === undefined) return null
  const before = expected.names
  const name = `w${++model.counter}`
  expected.names = together(before, [name])
  return operation(circumstances, {
    command: 'workspace.rename',
    params: { workspace: expected.id, name },
    done: () => Object.assign(expected, { names: [name] }),
    refused: () => Object.assign(expected, { names: before }),
  })
}

/** Only one in a round, and only where nobody is on the way to: everybody in it goes to the other one. */
function closeWorkspace(circumstances: Circumstances): Operation | null {
  const { model, random } = circumstances
  const isQuiet = ({ id }: ExpectedWorkspace): boolean =>
    model.terminals.every(({ places, mayMove }) => !places.includes(id ?? '') || !mayMove)
  const [from, to] = [random.pick(certainWorkspaces(model).filter(isQuiet)), random.pick(certainWorkspaces(model))]
  if (from === undefined || to === undefined || from.id === to.id || model.leaving.size > 0) return null
  model.leaving.add(from)
  model.leaving.add(to) // nobody moves there by another way: the order would tell nothing
  const inside = model.terminals.filter(({ places }) => places.includes(from.id))
  from.exists = 'maybe'
  for (const each of inside) Object.assign(each, { places: [from.id, to.id], mayMove: true })
  const settleOn = (place: string, exists: 'yes' | 'no') => (): void => {
    from.exists = exists
    for (const each of inside) each.places = [place]
  }
  return operation(circumstances, {
    command: 'workspace.close',
    params: { workspace: from.id, moveTo: to.id },
    done: settleOn(to.id, 'no'),
    refused: settleOn(from.id, 'yes'),
  })
}
