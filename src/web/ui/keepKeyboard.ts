import type { MouseEvent } from 'react'

/** For what is clicked and dragged beside a program: the program keeps the keyboard. Fields take it as ever. */
export function keepKeyboard(event: MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
}
