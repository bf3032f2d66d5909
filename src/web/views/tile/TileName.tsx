import type { KeyboardEvent } from 'react'
import type { TerminalView } from '../../../wire/view.ts'
import { useMay, usePage, useParts } from '../../hooks/parts.ts'
import { nameOf } from '../../state/words.ts'
import { NameField } from './NameField.tsx'

type Props = { readonly terminal: TerminalView }

/** The field in which a terminal's name is written, or null while it is not. */
export function useNameField({ terminal }: Props) {
  const { page, tiles } = useParts()
  const isRenamed = usePage(({ overlay }) => overlay?.kind === 'rename' && overlay.terminal === terminal.id)
  if (!isRenamed) return null
  const finish = (name: string | null) => {
    page.closeOverlay()
    if (name !== null && name.trim() !== (terminal.name ?? '')) void page.rename(terminal.id, name)
    tiles.focus()
  }
  return <NameField label="Terminal name (optional)" name={terminal.name ?? ''} placeholder={nameOf(terminal)} onDone={finish} />
}

/** The name of a terminal. A click on it drags or focuses its tile; two of them, Enter or F2 rename it. */
export function TileName({ terminal }: Props) {
  const { page } = useParts()
  const may = useMay()
  const field = useNameField({ terminal })
  const rename = () => page.open({ kind: 'rename', terminal: terminal.id })
  if (field !== null) return field
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'F2' && event.key !== 'Enter') return
    event.preventDefault()
    rename()
  }
  return (
    <h2>
      <button
        type="button"
        className="title"
        title={may('terminal.rename') ? 'Rename: double-click or F2' : undefined}
        onDoubleClick={rename}
        onKeyDown={onKey}
      >
        {nameOf(terminal)}
      </button>
    </h2>
  )
}
