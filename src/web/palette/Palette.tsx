/**
 * The palette: finds terminals, actions, workspaces, checkpoints and lines of history. sections.ts decides what is listed, entries.ts
 * makes the rows, ranking.ts orders them (all pure); choose.ts does what was chosen.
 */
import { type KeyboardEvent, useMemo } from 'react'
import { isPossible } from '../actions/action.ts'
import { shortcutsOf } from '../actions/actions.ts'
import { useNow, usePage, useParts } from '../hooks/parts.ts'
import type { Topic } from '../state/overlay.ts'
import { useRemembered } from '../state/remembered.ts'
import { PLATFORM, pressedShortcut } from '../state/shortcuts.ts'
import { Dialog, leaveDialog } from '../ui/Dialog.tsx'
import { useAsked } from '../ui/useAsked.ts'
import { CommandList } from './CommandList.tsx'
import { choose, RECENTS, remember } from './choose.ts'
import type { Entry } from './entries.ts'
import './palette.css'
import { PREFIXES, searchFor, sectionsOf, topicTitle } from './sections.ts'

const SEARCH_AFTER_MS = 200
const MOST_HITS = 20

type Props = { readonly text: string; readonly topic: Topic | undefined; readonly onLeave: () => void }

/** Finds terminals, actions, workspaces, checkpoints and lines of history by a few letters. */
export function Palette({ text, topic, onLeave }: Props) {
  const parts = useParts()
  const { page } = parts
  const state = usePage((all) => all) // it lists everything there is, while it is open
  const recents = useRemembered(RECENTS)
  // What was used last when it was opened: a list must not move under the hand.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const steady = useMemo(() => recents, [])
  const now = useNow()
  const checkpoints = useAsked({ key: page.may('checkpoint.list') ? 'checkpoints' : null, ask: () => page.ask('checkpoint.list', {}) })
  const closed = useAsked({ key: topic?.kind === 'closed' ? 'closed' : null, ask: () => page.ask('terminal.closed', {}) })
  const query = searchFor(text, topic)
  const hits = useAsked({
    key: query,
    ask: () => page.ask('search.query', { query: query ?? '', limit: MOST_HITS, context: 0 }),
    afterMs: SEARCH_AFTER_MS,
  })
  const sections = sectionsOf(text, topic, {
    state,
    isPossible: (action) => isPossible(action, parts),
    recents: steady,
    checkpoints,
    closed,
    hits,
    now,
  })
  const write = (next: string) => page.open({ kind: 'palette', text: next, ...(topic === undefined ? {} : { topic }) })
  const take = (entry: Entry) => {
    remember(entry.id)
    leaveDialog()
    page.closeOverlay()
    choose(entry.choice, parts)
  }
  const takeKey = (event: KeyboardEvent) => {
    const pressed = pressedShortcut(event.nativeEvent)
    if (event.key === 'Backspace' && text === '' && topic !== undefined) page.open({ kind: 'palette', text: '' })
    else if (pressed !== null && shortcutsOf(state.settings.keys, PLATFORM).get(pressed)?.id === 'palette') {
      event.preventDefault()
      onLeave()
    }
  }
  return (
    <Dialog className="palette" label="Find a terminal or a command" onLeave={onLeave}>
      {topic !== undefined && <p className="paletteTopic">{topicTitle(topic)}</p>}
      <CommandList
        label="Results"
        placeholder={topic === undefined ? 'Find terminals, actions, history…' : 'Choose…'}
        text={text}
        sections={sections}
        empty="No matches"
        onText={write}
        onChoose={take}
        onKeyDown={takeKey}
      />
      {topic === undefined && <Hints />}
    </Dialog>
  )
}

function Hints() {
  return (
    <p className="paletteHints">
      {PREFIXES.map(({ prefix, hint }) => (
        <span key={prefix}>
          <kbd>{prefix}</kbd> {hint}
        </span>
      ))}
      <span>
        <kbd>↑ ↓</kbd> choose
      </span>
      <span>
        <kbd>Esc</kbd> close
      </span>
    </p>
  )
}
