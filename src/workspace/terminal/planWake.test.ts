import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asleep, runId } from '../../../test/support/terminals.ts'
import { asWished, planWake, type WakeCheck, type WakeWish } from './planWake.ts'
import { step } from './step.ts'

const conversation = { kind: 'conversation', agent: 'codex', id: 'x', provenance: 'user', argv: ['codex', 'resume', 'x'] } as const
const guest = { kind: 'guest', socket: '/s', pane: '%1', pid: 1, session: 's' } as const

const wishes: fc.Arbitrary<WakeWish> = fc.record({
  mode: fc.constantFrom('resume' as const, 'fresh' as const),
  isByUser: fc.boolean(),
  chosen: fc.constantFrom(null, conversation),
  isConfirmed: fc.boolean(),
  withoutArguments: fc.boolean(),
})
const checks: fc.Arbitrary<WakeCheck> = fc.oneof(
  fc.record({
    kind: fc.constant('startable' as const),
    run: fc.constant(runId(9)),
    size: fc.constantFrom(null, { cols: 100, rows: 30 }),
  }),
  fc.record({ kind: fc.constant('refused' as const), reason: fc.constant('no'), isConversationGone: fc.boolean() }),
)
const terminals = fc
  .record({ unread: fc.boolean(), withheld: fc.boolean(), isGuest: fc.boolean() })
  .map(({ unread, withheld, isGuest }) => {
    const { spec } = asleep()
    return asleep({
      unread,
      spec: { ...spec, ...(withheld ? { withheld: { args: 1, env: 0 } } : {}), ...(isGuest ? { backend: guest } : {}) },
    })
  })

const always = (promise: (input: { terminal: ReturnType<typeof asleep>; wish: WakeWish; check: WakeCheck }) => void) =>
  fc.assert(fc.property(fc.record({ terminal: terminals, wish: wishes, check: checks }), promise), { numRuns: 500 })

/** What `step` makes of the whole plan. */
function carriedOut({ terminal, wish, check }: Parameters<Parameters<typeof always>[0]>[0]) {
  const { before, wake } = planWake(terminal, wish, check)
  const events = wake === null ? before : [...before, wake]
  return events.reduce((now, event) => step(now, event, 5).terminal ?? now, terminal as Parameters<typeof step>[0])
}

test('it wakes exactly where it can be started, and once', () => {
  always((input) => {
    expect(carriedOut(input).state).toBe(input.check.kind === 'startable' ? 'waking' : 'asleep')
  })
})

test('what was wished is what is woken', () => {
  always((input) => {
    const woken = carriedOut(input)
    if (woken.state !== 'waking') return
    const wished = asWished(input.terminal, input.wish)
    expect([woken.restore, woken.spec.withheld]).toEqual([wished.restore, wished.spec.withheld])
  })
})

test('a wake that is refused loses nothing, and the terminal says so unless its user was answered', () => {
  always((input) => {
    const { terminal, wish, check } = input
    if (check.kind !== 'refused') return
    const after = carriedOut(input)
    expect({ ...after, because: null }).toEqual({ ...terminal, because: null })
    const isTold = !wish.isByUser || (check.isConversationGone && wish.chosen === null)
    expect(after.state === 'asleep' && after.because.kind === 'failed').toBe(isTold)
  })
})

test('a guest keeps the size that its own tmux gives it', () => {
  always((input) => {
    if (input.terminal.spec.backend !== undefined) expect(carriedOut(input).spec.size).toEqual(input.terminal.spec.size)
  })
})
