/**
 * When lines were printed that this daemon did not see: the modification times of anchors and segments tell. They are
 * coarse, and never later than the truth by more than one anchor.
 */
import { readdir, stat } from 'node:fs/promises'
import { segmentSeq } from '../../wire/log.ts'
import { anchorTop } from '../history/anchors.ts'

export async function lineTime(directory: string, line: number, now: number): Promise<number> {
  const names = await readdir(directory).catch(() => [])
  const after = names
    .flatMap((name) => {
      const top = anchorTop(name)
      return top === null || top <= line ? [] : [{ name, top }]
    })
    .sort((a, b) => a.top - b.top)[0]
  const newest = names
    .filter((name) => segmentSeq(name) !== null)
    .sort()
    .at(-1)
  const name = after?.name ?? newest
  if (name === undefined) return now
  const found = await stat(`${directory}/${name}`).catch(() => null) // gone meanwhile
  return Math.min(now, Math.round(found?.mtimeMs ?? now))
}
