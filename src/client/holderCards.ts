/** The cards in the directories of runs, by which holders are found. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { HolderCard } from '../wire/holder.ts'
import { CLOSED_SUFFIX, holderCardPath, type Paths, REMOVED_SUFFIX } from '../wire/paths.ts'
import { whyNotOurFile } from './ownSocket.ts'

/** All cards, of running and of ended holders. Unreadable ones are reported, not trusted. */
export function readCards(paths: Paths): { readonly cards: readonly HolderCard[]; readonly unreadable: readonly string[] } {
  const cards: HolderCard[] = []
  const unreadable: string[] = []
  const runs = existsSync(paths.runs) ? readdirSync(paths.runs) : []
  for (const run of runs.filter((name) => !name.endsWith(CLOSED_SUFFIX) && !name.endsWith(REMOVED_SUFFIX))) {
    try {
      cards.push(readCard(`${paths.runs}/${run}`))
    } catch (error) {
      unreadable.push(`${run}: ${(error as Error).message}`)
    }
  }
  return { cards, unreadable }
}

export function readCard(directory: string): HolderCard {
  const foreign = whyNotOurFile(holderCardPath(directory), 'file')
  if (foreign !== null) throw new Error(`its card is not used: ${foreign}`)
  const card = JSON.parse(readFileSync(holderCardPath(directory), 'utf8')) as HolderCard
  if (typeof card.run !== 'string' || typeof card.terminal !== 'string' || typeof card.holderPid !== 'number')
    throw new Error('not a holder’s card')
  return card
}
