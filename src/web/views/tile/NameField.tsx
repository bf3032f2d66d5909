import type { KeyboardEvent } from 'react'

/** Once, when it appears: made anew at each drawing, it would select again what is being typed. */
const selectAll = (field: HTMLInputElement | null): void => field?.select()

type Props = {
  readonly label: string
  readonly name: string
  readonly placeholder?: string
  /** Null when it was given up. */
  readonly onDone: (name: string | null) => void
}

/** A name that is written where it stands. */
export function NameField({ label, name, placeholder, onDone }: Props) {
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.key === 'Enter') onDone(event.currentTarget.value)
    if (event.key === 'Escape') onDone(null)
  }
  return (
    <input
      className="rename nodrag"
      aria-label={label}
      defaultValue={name}
      placeholder={placeholder}
      maxLength={64}
      spellCheck={false}
      autoComplete="off"
      ref={selectAll}
      onKeyDown={onKey}
      onBlur={(event) => onDone(event.currentTarget.value)}
    />
  )
}
