/** A directory as it was typed, from where we are. */
import { isAbsolute, resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { Host } from './host.ts'

/** Where we were started may be gone by now; that matters only to those who mean it. */
export function directoryNamed(host: Pick<Host, 'cwd' | 'env'>, typed: string): Result<string> {
  if (isAbsolute(typed)) return done(resolve(typed))
  try {
    return done(resolve(host.cwd, typed))
  } catch {
    return refused(refusals.cwdMissing(host.env['PWD'] ?? typed))
  }
}
