/** What authorises this page's HTTP requests: given by the daemon on each link that was proved, and good while it is open. */
let bearer: string | null = null
const waiting = new Set<(bearer: string) => void>()

export function setBearer(given: string | null): void {
  bearer = given
  if (given === null) return
  for (const tell of waiting) tell(given)
  waiting.clear()
}

/** While there is no link it waits for the next one. */
export async function authorization(): Promise<string> {
  const given = bearer ?? (await new Promise<string>((resolve) => waiting.add(resolve)))
  return `Bearer ${given}`
}
