/** What browsers do to a tile besides typing: pastes, copies, selections and files that are dropped. */
export type TileEvents = {
  onPasted(text: string): void
  onFiles(files: readonly File[]): void
  /** Files are held over it, or not any more. */
  onHeldOver(isHeldOver: boolean): void
  /** The text that a copy gets; null: nothing is selected. */
  onCopied(): string | null
  /** The mouse has let go. */
  onSelected(): void
}

/** Before the library sees them. */
export function listenToTile(element: HTMLElement, events: TileEvents, signal: AbortSignal): void {
  const options = { capture: true, signal }
  const taken = (event: Event): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  element.addEventListener('paste', (event) => takePaste(event, events, taken), options)
  element.addEventListener(
    'copy',
    (event) => {
      const text = events.onCopied()
      if (text === null) return
      event.clipboardData?.setData('text/plain', text)
      taken(event)
    },
    options,
  )
  // Selecting may end outside of it.
  element.addEventListener(
    'mousedown',
    () => document.addEventListener('mouseup', () => events.onSelected(), { once: true, signal }),
    options,
  )
  listenToDrops(element, events, signal)
}

function takePaste(event: ClipboardEvent, events: TileEvents, taken: (event: Event) => void): void {
  const { clipboardData } = event
  if (clipboardData === null) return
  taken(event)
  const text = clipboardData.getData('text/plain')
  // What has a text besides a picture of it is meant as text.
  if (text !== '') events.onPasted(text)
  else if (clipboardData.files.length > 0) events.onFiles([...clipboardData.files])
}

/** Only files: whatever else is dragged is for others. */
function listenToDrops(element: HTMLElement, { onFiles, onHeldOver }: TileEvents, signal: AbortSignal): void {
  const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true
  const over = (event: DragEvent): void => {
    if (!hasFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
    onHeldOver(true)
  }
  const leave = (event: DragEvent): void => {
    const to = event.relatedTarget
    if (!(to instanceof Node && element.contains(to))) onHeldOver(false)
  }
  const drop = (event: DragEvent): void => {
    onHeldOver(false)
    if (!hasFiles(event)) return
    event.preventDefault()
    onFiles([...(event.dataTransfer?.files ?? [])])
  }
  element.addEventListener('dragenter', over, { signal })
  element.addEventListener('dragover', over, { signal })
  element.addEventListener('dragleave', leave, { signal })
  element.addEventListener('drop', drop, { signal })
}

/** A browser opens a file that is let go of beside a terminal, in the place of the page. */
export function refuseStrayFiles(): void {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
}
