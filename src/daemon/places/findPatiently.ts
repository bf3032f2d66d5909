import { type Found, findRepository } from './findRepository.ts'
import { PATIENCE } from './patience.ts'

/** None where the disk does not answer. */
export async function findPatiently(directory: string): Promise<Found | null> {
  const asked = await PATIENCE.ask(() => findRepository(directory))
  return asked.kind === 'answer' ? asked.value : null
}
