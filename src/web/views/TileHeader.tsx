import type { KeyboardEvent } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { usePageState, useParts } from '../parts.ts'
import { StateMark } from '../ui/StateMark.tsx'
import { describe, factsOf, nameOf } from '../words.ts'

export function TileHeader({ terminal }: { readonly terminal: TerminalView }) {
  const { page, tiles } = useParts()
  const { overlay } = usePageState()
  const { mark, state } = describe(terminal)
  const isRenaming = overlay?.kind === 'rename' && overlay.terminal === terminal.id
  const rename = () => page.open({ kind: 'rename', terminal: terminal.id })
  const finish = (name: string | null) => {
    page.closeOverlay()
    if (name !== null && name.trim() !== (terminal.name ?? '')) void page.rename(terminal.id, name)
    tiles.focus()
  }
  return (
    <header className="tileHeader">
      <span className="headMark" title={state}>
        <StateMark mark={mark} />
        <span className="unseen">{state}</span>
      </span>
      {isRenaming ? (
        <NameField name={terminal.name ?? ''} placeholder={nameOf(terminal)} onDone={finish} />
      ) : (
        <h2>
          <button type="button" className="title" title="Rename" onClick={rename}>
            {nameOf(terminal)}
          </button>
        </h2>
      )}
      <span className="about">{factsOf(terminal)}</span>
      <span className="actions">
        <button type="button" onClick={() => page.open({ kind: 'close', terminal: terminal.id })}>
          Close
        </button>
      </span>
    </header>
  )
}

/** Once, when it appears: made anew at each drawing, it would select again what is being typed. */
const selectAll = (field: HTMLInputElement | null): void => field?.select()

type FieldProps = { readonly name: string; readonly placeholder: string; readonly onDone: (name: string | null) => void }

function NameField({ name, placeholder, onDone }: FieldProps) {
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') onDone(event.currentTarget.value)
    if (event.key === 'Escape') onDone(null)
  }
  return (
    <input
      className="rename"
      aria-label="Name of this terminal; empty for none"
      defaultValue={name}
      placeholder={placeholder}
      maxLength={64}
      ref={selectAll}
      onKeyDown={onKey}
      onBlur={(event) => onDone(event.currentTarget.value)}
    />
  )
}
