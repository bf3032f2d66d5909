/** How many lines that are older than those that are drawn hold a text, as the daemon's index knows it. */
import type { DaemonClient } from '../../../client/daemonClient.ts'
import type { FindState } from './find.ts'
import type { FindQuery } from './finder.ts'

const MOST = 200 // more is only said to be more

type Asked = {
  readonly client: Pick<DaemonClient, 'request'>
  readonly terminal: string
  readonly query: FindQuery
  /** The number of the oldest line that is drawn. */
  readonly before: number | null
}

/** Null if unknown: the index finds only words, and may be disabled. */
export async function countOlder({ client, terminal, query, before }: Asked): Promise<FindState['older']> {
  if (before === null) return null
  const answer = await client.request('search.query', { terminal, query: `"${query.text.replaceAll('"', ' ')}"*`, limit: MOST, context: 0 })
  if (!answer.ok) return null
  const { hits, more, pending } = answer.value.result
  const plain = (text: string): string => (query.isCase ? text : text.toLowerCase())
  const older = hits.filter(
    ({ isPast, number, line }) => !isPast && number !== null && number < before && plain(line).includes(plain(query.text)),
  )
  return { count: older.length, isMore: more, isPending: pending.length > 0 }
}
