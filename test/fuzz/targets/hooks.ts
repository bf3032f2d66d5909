/** What agents' hooks report, what programs say of themselves, and the settings files that the hooks are written into. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { HOOK_FIELDS, hookFact, hookPayload, LONGEST_FIELD } from '../../../src/agents/hooks/hookEvent.ts'
import { HOOK_TARGETS, type HookTarget, hookTarget, presenceIn, textWith, textWithout } from '../../../src/agents/hooks/hookTargets.ts'
import { parseProgramStatus } from '../../../src/agents/programStatus.ts'
import { COMMANDS } from '../../../src/wire/commands/commands.ts'
import { changedJson, jsonTextOf, nastyJson, nastyText } from '../nasty.ts'
import { demand, fuzzTarget } from '../target.ts'

const PROGRAM = '/usr/bin/holdfast'
const EVENTS = [...new Set(HOOK_TARGETS.flatMap(({ events }) => events))]
const event = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...EVENTS) }, nastyText)
const payload = fc.oneof(
  fc.dictionary(fc.constantFrom(...HOOK_FIELDS), nastyText, { maxKeys: 6 }),
  fc.constant(null),
  nastyJson([...HOOK_FIELDS]),
)
const settings = HOOK_TARGETS.flatMap((target) => (target.content.kind === 'settings' ? [installedOf(target)] : []))
const settingsText = jsonTextOf(fc.oneof(changedJson(fc.constantFrom(...settings)), nastyJson(['hooks', 'matcher', ...EVENTS.slice(0, 4)])))
const status = fc.oneof(
  fc
    .array(
      fc.tuple(
        fc.constantFrom('state', 'app', 'kind', 'msg', 'id', '__proto__'),
        fc.oneof(fc.constantFrom('blocked', 'constructor', 'YQ=='), nastyText),
      ),
      { maxLength: 6 },
    )
    .map((pairs) => pairs.map(([name, said]) => `${name}=${said}`).join(':')),
  nastyText,
)

function installedOf(target: HookTarget): unknown {
  const text = textWith(target, '{"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}', PROGRAM)
  return text.ok ? JSON.parse(text.text) : {}
}

export const hooks = fuzzTarget({
  name: 'hooks',
  what: 'Reports of agents’ hooks, the program status protocol, and the settings files that hold our hooks.',
  cases: 500,
  input: fc.record({
    event,
    payload,
    status,
    file: fc.oneof(settingsText, fc.constant(null)),
    agent: fc.constantFrom(...HOOK_TARGETS.map(({ agent }) => agent)),
  }),
  open: () => ({
    judge: ({ event: name, payload: given, status: said, file, agent }) => {
      judgeReport(name, given)
      const parsed = parseProgramStatus(said)
      if (parsed !== null)
        demand((parsed.words ?? '').length <= 600 && (parsed.app ?? '').length <= 32, 'a status is longer than it may be')
      const target = hookTarget(agent)
      if (target !== null) judgeFile(target, file)
    },
  }),
})

function judgeReport(name: string, given: unknown): void {
  const told = hookPayload(given)
  demand(
    Object.values(told).every((field) => typeof field === 'string' && field.length <= LONGEST_FIELD),
    'a field of a report is no text, or too long',
  )
  const params = { terminal: 't0123456789', agent: 'claude', event: name, payload: told, reporter: { pid: 7 } }
  const decoded = COMMANDS['agent.report'].params.safeParse(params)
  if (/^[A-Za-z][A-Za-z.]{0,39}$/.test(name)) demand(decoded.success, 'the daemon refuses what the hook command sends')
  const fact = hookFact(name, told, 1)
  const words = fact?.state?.words ?? ''
  demand(!/[\p{Cc}\p{Cs}\p{Cf}]/u.test(words) && words.length <= 1_300, 'words of a report are not fit to be shown')
}

/** What was installed can be removed again, and leaves the rest of the file as it was. */
function judgeFile(target: HookTarget, file: string | null): void {
  presenceIn(target, file, PROGRAM)
  const edited = textWith(target, file, PROGRAM)
  if (!edited.ok) return
  demand(presenceIn(target, edited.text, PROGRAM).kind === 'installed', 'what was installed is not there')
  const twice = textWith(target, edited.text, PROGRAM)
  demand(twice.ok && twice.text === edited.text, 'installed twice is not installed once')
  const without = textWithout(target, edited.text, { program: PROGRAM, backups: [] })
  demand(without.ok, 'what was installed cannot be removed')
  if (without.text === null || file === null || target.content.kind !== 'settings') return
  const clean = textWithout(target, file, { program: PROGRAM, backups: [] })
  if (clean.ok && clean.text !== null) demand(isDeepStrictEqual(rest(without.text), rest(clean.text)), 'the rest of the file was changed')
}

/** Empty containers that our hooks made necessary may stay or go. */
function rest(text: string): unknown {
  const value = (text.trim() === '' ? {} : JSON.parse(text.replace(/^\ufeff/, ''))) as Record<string, unknown>
  const { hooks: _hooks, ...others } = value
  return others
}
