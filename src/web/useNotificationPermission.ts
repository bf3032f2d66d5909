/** Whether this browser lets the page notify; asked only by a click. */
import { useState } from 'react'

export type PermissionState = NotificationPermission | 'impossible'

/** Without a secure address browsers have none. */
export const notificationPermission = (): PermissionState => ('Notification' in globalThis ? Notification.permission : 'impossible')

export function useNotificationPermission(): { readonly state: PermissionState; readonly ask: () => void } {
  const [state, setState] = useState(notificationPermission)
  return { state, ask: () => void Notification.requestPermission().then(setState) }
}
