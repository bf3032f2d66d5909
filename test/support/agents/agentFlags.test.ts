/** The flags of the real programs, as their --help told them when `npm run agents:flags` was last run. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { changes, fixtureOf, OPENING, tableOf } from '../../../scripts/agentFlags.mjs'
import { flagsIn, tableText } from '../../../scripts/agentHelp.mjs'
import type { Flags } from '../../../src/agents/agent.ts'
import { carriedFlags } from '../../../src/agents/argv.ts'
import type { Takes } from '../../../src/agents/flags/flagTable.ts'
import { AGENTS, agentNamed } from '../../../src/agents/programs/all.ts'

type Fixture = {
  readonly agent: string
  readonly version: string
  readonly flags: readonly { readonly flag: string; readonly aliases: readonly string[]; readonly takes: Takes; readonly text: string }[]
}

const fixtures = Object.keys(OPENING).map((agent) => JSON.parse(readFileSync(fixtureOf(agent), 'utf8')) as Fixture)
const flagsOf = (agent: string): Flags => agentNamed(AGENTS, agent)!.flags

/** By their names they may send a prompt or choose a conversation. They do not: each was read. */
const CARRIED_ALL_THE_SAME: Readonly<Record<string, readonly string[]>> = {
  claude: [
    ...['--append-system-prompt', '--system-prompt', '--system-prompt-snapshot', '--exclude-dynamic-system-prompt-sections'],
    ...['--permission-prompts', '--prompt-suggestions', '--no-session-persistence', '--remote-control-session-name-prefix'],
    ...['--input-format', '--include-partial-messages', '--replay-user-messages'],
  ],
  qwen: [
    ...['--append-system-prompt', '--system-prompt', '--telemetry-log-prompts', '--sandbox-image', '--max-session-turns'],
    ...['--restore-ask-user-question', '--input-format', '--include-partial-messages'],
  ],
  pi: ['--append-system-prompt', '--system-prompt', '--prompt-template', '--no-prompt-templates', '--no-session', '--session-dir'],
  copilot: ['--max-autopilot-continues'],
}
const SUSPECT = /prompt|message|query|question|task|input|image|attach|session|resume|continue|fork|thread|conversation/

describe.each(fixtures)('$agent $version', ({ agent, version, flags }) => {
  const { takes, choosing, prompting, once, unsaved, notConversation } = flagsOf(agent)
  const dropped = [...choosing, ...prompting, ...once, ...notConversation]

  test('has a table that is written from its --help', () => {
    expect(readFileSync(tableOf(agent), 'utf8')).toBe(tableText({ agent, version, flags }))
  })

  test('takes as many values for each flag as is known', () => {
    for (const { flag, aliases } of flags) for (const name of [flag, ...aliases]) expect(takes[name], name).toBeDefined()
  })

  test('carries every flag that neither chooses a conversation nor sends a prompt', () => {
    for (const { flag, aliases } of flags)
      for (const name of [flag, ...aliases]) {
        const values = { none: [], one: ['x'], optional: ['x'], many: ['x', 'y'] }[takes[name] ?? 'none']
        expect(carriedFlags(agentNamed(AGENTS, agent)!, [agent, name, ...values]), name).toEqual(
          dropped.includes(name) ? [] : [name, ...values],
        )
      }
  })

  test('treats all spellings of a flag alike', () => {
    for (const { flag, aliases } of flags)
      for (const name of aliases)
        expect([takes[name], dropped.includes(name)], `${name} like ${flag}`).toEqual([takes[flag], dropped.includes(flag)])
  })

  test('has no flag that may send a prompt or choose a conversation and was not looked at', () => {
    const carried = flags.map(({ flag }) => flag).filter((flag) => SUSPECT.test(flag) && !dropped.includes(flag))
    expect(carried.toSorted()).toEqual([...(CARRIED_ALL_THE_SAME[agent] ?? [])].toSorted())
  })

  test('has each flag in one list only, and in none that it does not know', () => {
    const classified = [...dropped, ...unsaved]
    expect(classified.length).toBe(new Set(classified).size)
    const hidden = ['--cline-hub-daemon'] // of its own background process
    expect(classified.filter((word) => word.startsWith('-') && takes[word] === undefined && !hidden.includes(word))).toEqual([])
  })
})

describe('the script', () => {
  test.each([
    ['  -n, --name <name>             Set it\n                                for good', 'one --name -n: Set it for good'],
    ['  --allowedTools, --allowed-tools <tools...>\n      A list', 'many --allowedTools --allowed-tools: A list'],
    ['  -r, --resume [value]          Resume', 'optional --resume -r: Resume'],
    ['  -i, --image <FILE>...\n          Images', 'many --image -i: Images'],
    ['      --deny-tool [<tools>...]\n          Tools', 'many --deny-tool: Tools'],
    ['  -C <directory>\n          Change', 'one -C: Change'],
    ['  -e, --extensions      A list.  [array]', 'many --extensions -e: A list. [array]'],
    [
      '      --mdns          on (0.0.0.0)\n              [boolean] [default: false]',
      'none --mdns: on (0.0.0.0) [boolean] [default: false]',
    ],
    ['  --tools, -t <tools>            A list', 'one --tools -t: A list'],
  ])('reads %j', (text, expected) => {
    const found = flagsIn(`Usage: x\n\nOptions:\n${text}\n\nCommands:\n  --not-this  x\n`)
    expect(found.map(({ flag, aliases, takes, text: says }) => `${[takes, flag, ...aliases].join(' ')}: ${says}`)).toEqual([expected])
  })

  test('names the flags that a version has added, removed or changed', () => {
    const [before] = fixtures
    const [first, second, ...rest] = before!.flags
    const added = { flag: '--brand-new', aliases: ['-N'], takes: 'one' as const, text: '' }
    const now = { ...before!, flags: [added, { ...second!, takes: 'none' as const }, ...rest] }
    expect(changes(before!, now)).toEqual([
      '+ --brand-new, -N: takes one',
      `- ${first!.flag}: takes ${first!.takes}`,
      `~ ${second!.flag}: takes none (was: ${second!.flag}: takes ${second!.takes})`,
    ])
    expect(changes(before!, before!)).toEqual([])
  })
})
