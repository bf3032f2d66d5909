/** Hears of changes in a directory where the system tells of them. Watching is never what a daemon fails by. */
import { watch } from 'node:fs'

/** `heard` gets the name of what changed, null where that is not told. Null where the system has no watch left to give. */
export function watchDirectory(directory: string, heard: (name: string | null) => void): { close(): void } | null {
  try {
    const watcher = watch(directory, { persistent: false }, (_event, name) => heard(name))
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}
