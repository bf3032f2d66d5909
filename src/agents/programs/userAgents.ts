/**
 * Agents that the user describes in config.toml, without code: how they are recognised, resumed and left. One under the name
 * of an agent that is known already changes only what it says. What is written there is bounded like everything else: an id is
 * never an option, and only flags that were typed are carried.
 */
import type { Agent, Flags } from '../agent.ts'
import type { FlagTable } from '../flags/flagTable.ts'
import { agentNamed } from './all.ts'
import { plainAgent } from './plainAgent.ts'
import { type AgentProblem, type Fields, readFields } from './userAgentFields.ts'

export type UserAgent = Agent & { readonly written: Fields }

export type ParsedAgents =
  | { readonly ok: true; readonly agents: readonly Agent[] }
  | { readonly ok: false; readonly problems: readonly AgentProblem[] }

type Known = { readonly agents: readonly Agent[]; readonly isKey: (name: string) => boolean }

const MOST_AGENTS = 100

/** The user's agents first, so that they also win where names are alike; then those that are known and not described anew. */
export function parseUserAgents(raw: unknown, known: Known): ParsedAgents {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || raw instanceof Date)
    return {
      ok: false,
      problems: [{ path: [], why: 'is a section: write [agents.NAME] and below it lines like resume = ["--resume", "{id}"]' }],
    }
  const entries = Object.entries(raw)
  if (entries.length > MOST_AGENTS) return { ok: false, problems: [{ path: [], why: `has more than ${MOST_AGENTS} agents` }] }
  const read = entries.map(([id, value]) => ({ id, ...readFields(id, value, known.isKey) }))
  const problems = read.flatMap((one) => one.problems)
  if (problems.length > 0) return { ok: false, problems }
  const own = read.map(({ id, fields }) => agentOf(id, fields, agentNamed(known.agents, id)))
  return { ok: true, agents: [...own, ...known.agents.filter(({ id }) => !own.some((agent) => agent.id === id))] }
}

export const isUserAgent = (agent: Agent): agent is UserAgent => 'written' in agent

function agentOf(id: string, written: Fields, builtIn: Agent | null): UserAgent {
  const base = builtIn ?? plainAgent({ id, label: id, recognise: { names: [id], paths: [] }, idPattern: ANY_ID })
  const { label, recognise, resume, latest, id_pattern: pattern, exit_hint: hint } = written
  const idPattern = pattern === undefined ? base.idPattern : idPatternOf(pattern)
  const described: Agent = {
    ...base,
    label: label ?? base.label,
    recognise: recognise === undefined ? base.recognise : recognisedBy(recognise),
    idPattern,
    resume: resume === undefined ? base.resume : (one) => resume.map((word) => word.replaceAll('{id}', () => one)),
    latest: latest ?? base.latest,
    quit: quitOf(written) ?? base.quit,
    flags: flagsOf(written, base.flags),
    exitHint: hint === undefined ? base.exitHint : hintOf(hint),
    configEnv: written.config_env ?? base.configEnv,
  }
  return { ...(builtIn === null ? plainAgent(described) : described), written }
}

/** Whatever a pattern allows, an id begins with a letter or digit and holds nothing that means something elsewhere. */
const SAFE_ID = '(?=[A-Za-z0-9][\\w.:-]{0,127}$)'
const ANY_ID = new RegExp(`^${SAFE_ID}.*$`)
const idPatternOf = (pattern: string): RegExp => new RegExp(`^${SAFE_ID}(?:${pattern})$`)

const recognisedBy = (words: readonly string[]): Agent['recognise'] => ({
  names: words.filter((word) => !word.includes('/')),
  paths: words.filter((word) => word.includes('/')),
})

function quitOf({ quit_keys: keys, quit_signal: signal }: Fields): Agent['quit'] | null {
  if (signal !== undefined) return { kind: 'signal', signal }
  return keys === undefined ? null : { kind: 'keys', keys: keys.split(' '), everyMs: 400 }
}

/**
 * `--verbose` stands alone, `--model VALUE` has a value, `--add-dir VALUES...` has several. What `drop` names is not carried, nor
 * are the flags with which it is resumed.
 */
function flagsOf({ carry = [], drop = [], resume = [], latest = [] }: Fields, base: Flags): Flags {
  const resuming = [...placesIn(resume), ...placesIn(latest)]
  return {
    ...base,
    takes: { ...takesOf(resuming), ...base.takes, ...takesOf(carry), ...takesOf(drop) },
    choosing: [...base.choosing, ...resuming.map(nameOf)],
    prompting: [...base.prompting, ...drop.map(nameOf)],
  }
}

const nameOf = (text: string): string => text.replace(/ .*$/, '')

const takesOf = (texts: readonly string[]): FlagTable =>
  Object.fromEntries(texts.map((text) => [nameOf(text), !text.includes(' ') ? 'none' : text.endsWith('...') ? 'many' : 'one']))

/** The flags of a command line, and which of them has a value behind it. */
const placesIn = (words: readonly string[]): readonly string[] =>
  words.flatMap((word, at) => {
    if (!word.startsWith('-')) return []
    const [name = ''] = word.split('=')
    return word.includes('=') || words[at + 1]?.startsWith('-') !== false ? [name] : [`${name} VALUE`]
  })

/** The text itself, with an id in its place. */
function hintOf(text: string): RegExp {
  const [before = '', after = ''] = text.trim().replace(/\s+/g, ' ').split('{id}').map(escaped)
  return new RegExp(`${before}([A-Za-z0-9][\\w.:-]{0,127}?)(?![\\w:-])${after}`)
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
