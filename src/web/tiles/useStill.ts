/** Fetches the picture of a terminal's last screen. Only this page may have it, so an address alone does not show it. */
import { useEffect, useState } from 'react'
import { authorization } from '../device/bearer.ts'

/** `null`: there is none. The one before stays until another is there. */
export function useStill(address: string): string | null | undefined {
  const [picture, setPicture] = useState<string | null | undefined>(undefined)
  useEffect(() => {
    let isCurrent = true
    void fetchStill(address).then((found) => isCurrent && setPicture(found))
    return () => {
      isCurrent = false
    }
  }, [address])
  return picture
}

const NOT_AUTHORISED = 401

async function fetchStill(address: string): Promise<string | null> {
  try {
    const headers = { Authorization: await authorization() }
    const reply = await fetch(address, { headers })
    // The link was another one by the time it arrived.
    const answer = reply.status === NOT_AUTHORISED ? await fetch(address, { headers: { Authorization: await authorization() } }) : reply
    return answer.status === 200 ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}` : null
  } catch {
    return null // the daemon is away
  }
}
