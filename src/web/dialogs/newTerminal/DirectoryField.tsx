import { type KeyboardEvent, useState } from 'react'
import { useParts } from '../../hooks/parts.ts'
import { shortPath } from '../../state/words.ts'
import { Fault } from '../../ui/Fault.tsx'
import { lastOf, useAsked } from '../../ui/useAsked.ts'
import { completed, stepped } from './completion.ts'

type Props = { readonly value: string; readonly fault: string | undefined; readonly onChange: (directory: string) => void }

const MOST = 8
const ASK_AFTER_MS = 80

/** A directory, with those that were used before and those that fit what is typed. */
export function DirectoryField({ value, fault, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [hasTyped, setTyped] = useState(false)
  const [at, setAt] = useState(-1)
  const suggestions = useSuggestions(value, { hasTyped })
  const shown = isOpen ? suggestions : []
  const take = (directory: string) => {
    onChange(directory)
    setTyped(true)
    setAt(-1)
  }
  const takeKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    const next = event.key === 'Tab' && !event.shiftKey && isOpen && hasTyped ? completed(value, suggestions) : null
    if (step !== null) {
      setOpen(true)
      setAt(isOpen ? stepped(at, step, suggestions.length) : -1)
    } else if (next !== null) take(next)
    else if (event.key === 'Enter' && at !== -1 && shown[at] !== undefined) {
      take(shown[at])
      setOpen(false)
    } else if (event.key === 'Escape' && isOpen) setOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="field">
      <label htmlFor="newDirectory">Directory</label>
      <div className="combo">
        <input
          id="newDirectory"
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls="newDirectories"
          aria-activedescendant={at === -1 ? undefined : `newDirectory${at}`}
          aria-autocomplete="list"
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : 'newDirectoryFault'}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => {
            setOpen(true)
            take(event.currentTarget.value)
          }}
          onClick={() => setOpen(true)}
          onKeyDown={takeKey}
          onBlur={() => setOpen(false)}
        />
        <div id="newDirectories" role="listbox" aria-label="Directories" className="comboList" hidden={shown.length === 0}>
          {shown.map((directory, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the one that is chosen
            <div
              key={directory}
              id={`newDirectory${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => {
                event.preventDefault()
                take(directory)
                setOpen(false)
              }}
            >
              {shortPath(directory)}
            </div>
          ))}
        </div>
      </div>
      <Fault id="newDirectoryFault" text={fault} />
    </div>
  )
}

/** Until something is typed, those that were used before. */
function useSuggestions(value: string, { hasTyped }: { readonly hasTyped: boolean }): readonly string[] {
  const { page } = useParts()
  const recent = useAsked({ key: 'recent', ask: () => page.ask('directory.recent', {}) })
  const fitting = useAsked({
    key: hasTyped && value.trim() !== '' ? value : null,
    ask: () => page.ask('directory.complete', { path: value, limit: MOST }),
    afterMs: ASK_AFTER_MS,
  })
  const paths = hasTyped && value.trim() !== '' ? lastOf(fitting)?.directories : lastOf(recent)
  return (paths ?? []).map(({ path }) => path).slice(0, MOST)
}
