import type { KeyboardEvent } from 'react'
import type { Find, FindState } from './find.ts'
import { findWords } from './find.ts'

type Props = { readonly find: Find; readonly state: FindState; readonly onClose: () => void }

/** Looks for text in one terminal, its history included. */
export function FindBar({ find, state, onClose }: Props) {
  const { query } = state
  const close = () => {
    find.close()
    onClose()
  }
  const takeKey = (event: KeyboardEvent) => {
    const act = actOf(event, { find, close })
    if (act !== null) {
      event.preventDefault()
      act()
    }
    // The page's own keys are still its own; what is typed here is not for the terminal.
    if (act !== null || !(event.ctrlKey || event.metaKey)) event.stopPropagation()
  }
  return (
    <search className="findBar" aria-label="Find in this terminal" onKeyDown={takeKey}>
      <input
        type="text"
        aria-label="Text to find"
        placeholder="Find"
        spellCheck={false}
        autoComplete="off"
        aria-invalid={state.wrong !== null}
        value={query.text}
        ref={selectAll}
        onChange={(event) => find.set({ ...query, text: event.currentTarget.value })}
      />
      <output aria-live="polite">{findWords(state)}</output>
      <button type="button" title="Match case" aria-pressed={query.isCase} onClick={() => find.set({ ...query, isCase: !query.isCase })}>
        Aa
      </button>
      <button
        type="button"
        title="Regular expression"
        aria-pressed={query.isRegex}
        onClick={() => find.set({ ...query, isRegex: !query.isRegex })}
      >
        .*
      </button>
      <button type="button" title="Previous (Shift+Enter)" aria-label="Previous" onClick={() => find.previous()}>
        ↑
      </button>
      <button type="button" title="Next (Enter)" aria-label="Next" onClick={() => find.next()}>
        ↓
      </button>
      <button type="button" title="Close (Escape)" aria-label="Close the search" onClick={close}>
        ✕
      </button>
    </search>
  )
}

/** Once, when it appears. */
const selectAll = (field: HTMLInputElement | null): void => field?.select()

function actOf({ key, shiftKey, target }: KeyboardEvent, { find, close }: { readonly find: Find; readonly close: () => void }) {
  const go = () => (shiftKey ? find.previous() : find.next())
  if (key === 'Escape') return close
  if (key === 'F3') return go
  return key === 'Enter' && target instanceof HTMLInputElement ? go : null
}
