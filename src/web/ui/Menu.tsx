/** A menu that drops down from a button, or opens at a point. The only file that knows the library behind it. */
import * as Radix from '@radix-ui/react-dropdown-menu'
import { type ReactElement, useRef } from 'react'
import type { CommandName } from '../../wire/commands/commands.ts'
import { PLATFORM, shortcutText } from '../state/shortcuts.ts'
import './menu.css'

export type MenuChoice = {
  readonly label: string
  /** The command that it asks the daemon for; null: none. */
  readonly asks: CommandName | null
  /** As in `Mod+K`, for reading: the menu itself hears no shortcuts. */
  readonly keys?: string | null | undefined
  /** Said beside the label, such as why it is not possible. */
  readonly hint?: string
  readonly isDisabled?: boolean
  readonly isDanger?: boolean
  /** Given: one that is on or off. */
  readonly isChecked?: boolean
  readonly onChoose: () => void
}

export type MenuGroup = {
  readonly label: string
  readonly asks: CommandName | null
  readonly isDisabled?: boolean
  readonly items: readonly MenuItem[]
}

export type MenuItem = MenuChoice | MenuGroup | 'separator'

export type MenuProps = {
  /** Its subject, for screen readers. */
  readonly label: string
  readonly items: readonly MenuItem[]
  /** A button; it gets what it needs to open the menu. */
  readonly trigger: ReactElement
  readonly align?: 'start' | 'end'
}

export function Menu({ label, items, trigger, align = 'start' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Content label={label} items={items} align={align} />
    </Radix.Root>
  )
}

export type Point = { readonly x: number; readonly y: number }

type MenuAtProps = {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly at: Point
  /** Called once it is closed, with or without a choice. */
  readonly onClose: () => void
  /** Gets the focus back where nothing else has taken it. */
  readonly returnTo?: HTMLElement | null
}

/** Open from the beginning, as long as it is drawn: for a menu of the right mouse button. */
export function MenuAt({ label, items, at, onClose, returnTo = null }: MenuAtProps) {
  return (
    <Radix.Root modal={false} open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Radix.Trigger asChild>
        <span className="menuPoint" aria-hidden="true" style={{ left: at.x, top: at.y }} />
      </Radix.Trigger>
      <Content label={label} items={items} align="start" returnTo={returnTo} />
    </Radix.Root>
  )
}

type ContentProps = {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly align: 'start' | 'end'
  readonly returnTo?: HTMLElement | null
}

function Content({ label, items, align, returnTo = null }: ContentProps) {
  const own = useRef<HTMLDivElement>(null)
  /** What was chosen may have given the keyboard to something else, such as a dialog or a field: it keeps it. */
  const giveBack = (event: Event) => {
    const at = document.activeElement
    const isTaken = at !== null && at !== document.body && own.current?.contains(at) !== true
    if (isTaken || returnTo !== null) event.preventDefault()
    if (!isTaken) returnTo?.focus()
  }
  return (
    <Radix.Portal>
      <Radix.Content
        ref={own}
        className="menuBox"
        aria-label={label}
        align={align}
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={giveBack}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <Items items={items} />
      </Radix.Content>
    </Radix.Portal>
  )
}

/** The place of an item is what it is known by: a menu is made anew whenever its items change. */
function Items({ items }: { readonly items: readonly MenuItem[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: two workspaces may have one name
  return items.map((item, index) => <Item key={`${index} ${item === 'separator' ? '' : item.label}`} item={item} />)
}

function Item({ item }: { readonly item: MenuItem }) {
  if (item === 'separator') return <Radix.Separator className="menuLine" />
  if ('items' in item) return <Group group={item} />
  const { label, keys, hint, isDisabled = false, isDanger = false, isChecked, onChoose } = item
  const shared = { className: 'menuItem', disabled: isDisabled, onSelect: onChoose, 'data-danger': isDanger }
  const inside = (
    <>
      <span>{label}</span>
      {hint !== undefined && <small>{hint}</small>}
      {keys && <kbd>{shortcutText(keys, PLATFORM)}</kbd>}
    </>
  )
  if (isChecked === undefined) return <Radix.Item {...shared}>{inside}</Radix.Item>
  return (
    <Radix.CheckboxItem {...shared} checked={isChecked}>
      <Radix.ItemIndicator className="menuTick">✓</Radix.ItemIndicator>
      {inside}
    </Radix.CheckboxItem>
  )
}

function Group({ group: { label, items, isDisabled = false } }: { readonly group: MenuGroup }) {
  return (
    <Radix.Sub>
      <Radix.SubTrigger className="menuItem" disabled={isDisabled}>
        <span>{label}</span>
        <span className="menuMore" aria-hidden="true">
          ›
        </span>
      </Radix.SubTrigger>
      <Radix.Portal>
        <Radix.SubContent className="menuBox" aria-label={label} sideOffset={4} collisionPadding={8}>
          <Items items={items} />
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  )
}
