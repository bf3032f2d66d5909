import type { ComponentProps } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import './iconButton.css'

type Props = Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'title' | 'type'> & {
  readonly icon: IconName
  /** What it does, in words. */
  readonly label: string
  /** How it can be done by keys, for reading. */
  readonly keys?: string | null | undefined
}

export function IconButton({ icon, label, keys, className = '', ...rest }: Props) {
  return (
    <button {...rest} type="button" className={`iconButton ${className}`} aria-label={label} title={keys ? `${label} (${keys})` : label}>
      <Icon name={icon} />
    </button>
  )
}
