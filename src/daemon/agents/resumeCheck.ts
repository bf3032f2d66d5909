/**
 * What a wake would start, checked before anything is: the directory, the program, and whether the conversation is still
 * there. What cannot be told is no reason to refuse; the agent itself will say.
 */
import { existsSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { againArgv, namesNewConversation, resumeArgv } from '../../agents/argv.ts'
import { commandName } from '../../agents/program.ts'
import { agentNamed } from '../../agents/programs/all.ts'
import { done, type Refusal, type Result, refusals, refused } from '../../base/refusal.ts'
import { programSocket } from '../../wire/paths.ts'
import { isShell } from '../../workspace/checkpoint/planRestoreWakes.ts'
import { commandText } from '../../workspace/command/commandText.ts'
import { type Environment, environmentFor } from '../../workspace/redact/environment.ts'
import { openChoiceText } from '../../workspace/resume/comesBack.ts'
import { type Argv, argvFor, type Conversation, environmentOf, resumes, type Unsure, wrapped } from '../../workspace/terminal/resume.ts'
import { isGuest, type Terminal, type WakeMode } from '../../workspace/terminal/terminal.ts'
import { checkProgram } from '../base/programs.ts'
import { placeLook } from './nodeLook.ts'
import { waysOf } from './ways.ts'
import type { StartWorld } from './world.ts'

type Inherited = Readonly<Record<string, string>>
export type Wish = { readonly mode: WakeMode; readonly inherited: Inherited }

export type Start = {
  readonly argv: Argv
  readonly cwd: string
  readonly env: Environment
  /** It goes on with something, so that it is on trial. */
  readonly isResume: boolean
  /** It is an agent's, so that the user's login shell starts it. */
  readonly isByLogin: boolean
}

export async function checkedStart(daemon: StartWorld, terminal: Terminal, { mode, inherited }: Wish): Promise<Result<Start>> {
  if (isGuest(terminal)) return done(startOfGuest(terminal))
  const ways = waysOf(daemon.config, inherited)
  const known = whereItIs(argvFor(terminal, mode, ways))
  const { withheld, command } = terminal.spec
  // A conversation that was seen since has arguments of its own.
  if (withheld !== undefined && (known.from !== 'conversation' || withheld.env > 0))
    return refused(refusals.argumentsNotStored(terminal.name ?? terminal.id, command, withheld))
  if (known.unsure !== undefined) return refused(refusalOf(terminal, known, known.unsure))
  const owners = daemon.agents.couldOwn(terminal.id, known)
  if (owners.length > 0) return refused(refusals.conversationNotCertain(terminal.name ?? terminal.id, openChoiceText(known, owners)))
  const start = startWith(daemon, terminal, { argv: known, mode, inherited })
  const program = checkStart(terminal, start, inherited)
  if (!program.ok) return program
  if (known.from !== 'conversation' || terminal.restore.kind !== 'conversation') return done(start)
  const agent = agentNamed(ways.agents, terminal.restore.agent)
  const argv =
    agent === null ? done(known) : await conversationArgv(terminal.restore, { agent, known, start, id: terminal.name ?? terminal.id })
  return argv.ok ? done({ ...start, argv: argv.value }) : argv
}

/** Nothing that an agent was started with is left out unless the user says so. */
const refusalOf = ({ name, id }: Terminal, { command, args, from }: Argv, unsure: Unsure): Refusal =>
  refusals.resumeUnsure(name ?? id, { ...unsure, instead: commandText(command, args), isOffered: from === 'conversation' })

/** It runs already: there is nothing to choose, and nothing to look for. */
const startOfGuest = ({ spec: { command, args, cwd } }: Terminal): Start => ({
  ...{ argv: { command, args, from: 'original', agent: null }, cwd, env: {} },
  ...{ isResume: false, isByLogin: false },
})

/** An agent that was updated may have moved: then the login shell finds it by its name. */
const whereItIs = (argv: Argv): Argv =>
  argv.from === 'conversation' && argv.agent !== null && argv.isWrapped !== true && isAbsolute(argv.command) && !existsSync(argv.command)
    ? { ...argv, command: commandName(argv.command) }
    : argv

type Chosen = Wish & { readonly argv: Argv }

function startWith(daemon: StartWorld, terminal: Terminal, { argv, mode, inherited }: Chosen): Start {
  const isResume = resumes(argv, terminal)
  const env = environmentFor({
    inherited,
    allow: daemon.config.env.allow,
    set: { ...terminal.spec.env, ...environmentOf(terminal, argv) },
    terminal: terminal.id,
    socket: programSocket(daemon.paths, terminal.id),
    home: daemon.paths.home,
  })
  return { argv, cwd: directoryFor(daemon, terminal, { argv, mode }), env, isResume, isByLogin: isResume && argv.agent !== null }
}

/** A conversation goes on where its agent was, a shell where it was; everything else is known by the directory it was started in. */
function directoryFor({ checkpoints }: StartWorld, terminal: Terminal, { argv, mode }: Pick<Chosen, 'argv' | 'mode'>): string {
  const { restore, spec } = terminal
  if (argv.from === 'conversation' && restore.kind === 'conversation') return wrapperPlace(restore) ?? restore.cwd ?? spec.cwd
  if (mode === 'fresh' || !(argv.from === 'shell' || isShell(terminal))) return spec.cwd
  const previous = terminal.state === 'waking' ? terminal.previousRun : terminal.lastRun
  const last = previous === null ? null : checkpoints.seen.placeOf(previous)
  return last !== null && statSync(last, { throwIfNoEntry: false })?.isDirectory() === true ? last : spec.cwd
}

/** A wrapper may put its agent into a directory that is not there outside of it. */
const wrapperPlace = ({ wrapper }: Conversation): string | null => (wrapper?.kind === 'line' ? (wrapper.cwd ?? null) : null)

/** A name without a slash is looked for in the PATH that the login shell makes, which nobody knows before. */
function checkStart({ spec }: Terminal, { argv: { command }, cwd, isByLogin }: Start, inherited: Inherited): Result<null> {
  const program = isByLogin && !command.includes('/') ? '/bin/sh' : command
  return checkProgram({ command: program, cwd, env: spec.env }, inherited)
}

type Sought = { readonly agent: Agent; readonly known: Argv; readonly start: Start; readonly id: string }

/**
 * A conversation that was only given its id, and never a word, has no transcript yet: it begins again under the same id. Where
 * its agent has already made a file for it, that id cannot be used again: it begins under another one.
 * Where the agent's files are is not known of one that the user has named without its agent having been seen.
 */
async function conversationArgv(restore: Conversation, { agent, known, start, id }: Sought): Promise<Result<Argv>> {
  if (restore.provenance === 'user' && restore.env === undefined) return done(known)
  const { cwd = start.cwd, argv } = restore
  const transcript = await agent.transcript(placeLook({ cwd, env: start.env, argv }), restore.id)
  const { wrapper = { kind: 'none' } } = restore
  const isNew = namesNewConversation(agent, argv, restore.id)
  if (isNew && transcript.kind === 'empty' && wrapper.kind === 'none') {
    const [command = known.command, ...args] = againArgv(agent, [known.command, ...argv.slice(1)])
    return done({ ...known, command, args, from: 'new' })
  }
  if (isNew && transcript.kind !== 'empty') {
    const [command, ...args] = (transcript.kind === 'there' ? resumeArgv(agent, restore) : null) ?? restore.argv
    if (command === undefined) return done(known)
    return done(wrapped({ ...known, command, args }, wrapper, agent))
  }
  return transcript.kind === 'gone' || transcript.kind === 'empty'
    ? refused(refusals.conversationGone(id, agent.label, restore.id))
    : done(known)
}

/** As the reason for which a terminal is not awake; what to do about it is beside it, wherever that is shown. */
export const reasonOf = ({ message }: Refusal): string => message.replace(/\.$/, '')
