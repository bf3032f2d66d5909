/**
 * A dialog over the page. An element marked with `data-first` gets the keyboard first, else the first field. When the dialog closes,
 * the keyboard returns to the element that had it. This folder has parts without knowledge of terminals: dialogs, menus, icons, marks.
 */
import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  /** The id of its heading, or its name where it has none. */
  readonly labelledBy?: string
  readonly label?: string
  readonly className?: string
  readonly onLeave: () => void
  readonly children: ReactNode
}

export function Dialog({ labelledBy, label, className, onLeave, children }: Props) {
  const own = useRef<HTMLDialogElement>(null)
  // Also where it was left and is wanted again in one step, as when the palette opens the palette.
  useEffect(() => {
    if (own.current === null || own.current.open) return
    own.current.showModal()
    own.current.querySelector<HTMLElement>('[data-first]')?.focus()
  })
  return (
    <dialog
      ref={own}
      className={className}
      aria-labelledby={labelledBy}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onLeave()
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.target === own.current && isOutside(event.currentTarget, event) && onLeave()}
    >
      {children}
    </dialog>
  )
}

/**
 * Closes whatever dialog is open, at once: the browser gives the keyboard back. To be called before the state says that the
 * dialog is gone, because an element that is only removed gives nothing back.
 */
export function leaveDialog(): void {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close()
}

/** On what lies behind it, which is the dialog too, but not within its box. */
function isOutside(dialog: HTMLElement, { clientX, clientY }: { readonly clientX: number; readonly clientY: number }): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
