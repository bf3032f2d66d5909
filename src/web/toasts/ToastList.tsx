/** Short notes at the edge of the page. state/toasts.ts holds them; sleepNews.ts decides what is said when terminals fall asleep. */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useParts } from '../hooks/parts.ts'
import type { Toast } from '../state/toasts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import './toasts.css'

/** Always there, so that what comes into it is read out. */
export function ToastList() {
  const { page } = useParts()
  const { toasts } = page
  const shown = useSyncExternalStore(toasts.subscribe, () => toasts.shown)
  return (
    <div className="toasts" role="status">
      {shown.map((toast) => (
        <ToastRow key={toast.id} toast={toast} onGone={() => toasts.dismiss(toast.id)} />
      ))}
    </div>
  )
}

/** It stays while it is hovered or has the focus. */
function ToastRow({ toast, onGone }: { readonly toast: Toast; readonly onGone: () => void }) {
  const [isHeld, setHeld] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a toast that takes another's place begins anew
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(onGone, toast.forMs)
    return () => clearTimeout(timer)
  }, [isHeld, toast])
  const { text, action } = toast
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: that somebody is there is only noticed; what can be done are its buttons
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{text}</p>
      {action !== null && (
        <button
          type="button"
          onClick={() => {
            onGone()
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={onGone} />
    </div>
  )
}
