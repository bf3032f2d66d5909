import { useEffect, useState, useSyncExternalStore } from 'react'
import { useParts } from '../parts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { Toast } from './toasts.ts'
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

/** It stays while somebody points at it, or has the keyboard in it. */
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
