import { type KeyboardEvent, useState } from 'react'
import type { TerminalView } from '../wire/view.ts'
import { StateMark } from './StateMark.tsx'
import { describe, factsOf, nameOf } from './words.ts'

type Props = {
  readonly terminal: TerminalView
  readonly onRename: (name: string) => void
  readonly onClose: () => void
}

export function TerminalHeader({ terminal, onRename, onClose }: Props) {
  const [isRenaming, setRenaming] = useState(false)
  const { mark, state } = describe(terminal)
  const finish = (name: string | null) => {
    setRenaming(false)
    if (name !== null && name.trim() !== (terminal.name ?? '')) onRename(name)
  }
  return (
    <>
      <span className="headMark" title={state}>
        <StateMark mark={mark} />
        <span className="unseen">{state}</span>
      </span>
      {isRenaming ? (
        <NameField name={terminal.name ?? ''} placeholder={nameOf(terminal)} onDone={finish} />
      ) : (
        <h1>
          <button type="button" className="title" title="Rename" onClick={() => setRenaming(true)}>
            {nameOf(terminal)}
          </button>
        </h1>
      )}
      <span className="about">{factsOf(terminal)}</span>
      <span className="actions">
        <button type="button" onClick={() => setRenaming(true)}>
          Rename
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </span>
    </>
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
